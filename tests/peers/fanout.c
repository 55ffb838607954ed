/* Writes one text of 600 bytes, as a websocket's frame, to all of its connections for each line of input: the least
 * that the machine needs for it. Waits with epoll. Nothing that it is sent matters. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TEXT = 600, FRAME = TEXT + 4, EVENTS = 256, MOST = 100000 };

static int sockets[MOST], count;
static char frame[FRAME] = {(char)0x81, 126, TEXT >> 8, TEXT & 255};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void deliver(void) {
    for (int i = 0; i < count; i++)
        if (write(sockets[i], frame, FRAME) != FRAME) fail("write");
}

static void come(int listener) {
    int one = 1, socket;
    while (count < MOST && (socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        sockets[count++] = socket;
    }
}

int main(void) {
    struct rlimit files;
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    struct epoll_event wanted = {.events = EPOLLIN}, events[EVENTS];
    int poll = epoll_create1(0), listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    memset(frame + 4, 'x', TEXT);
    if (bind(listener, (struct sockaddr *)&place, size) || listen(listener, 4096)) fail("listen");
    getsockname(listener, (struct sockaddr *)&place, &size);
    wanted.data.fd = listener;
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &wanted);
    wanted.data.fd = STDIN_FILENO;
    epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &wanted);
    printf("{\"port\":%d}\n", ntohs(place.sin_port));
    fflush(stdout);
    for (;;) {
        int ready = epoll_wait(poll, events, EVENTS, -1);
        if (ready < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < ready; i++) {
            char lines[64];
            if (events[i].data.fd == listener) {
                come(listener);
                continue;
            }
            ssize_t asked = read(STDIN_FILENO, lines, sizeof lines);
            if (asked <= 0) return 0;
            while (asked--) deliver();
        }
    }
}

import re
from urllib.parse import quote

import pytest
from redis.asyncio.connection import parse_url

from server.fanout.redis_ways import reached
from server.redis_url import RedisFault, Way, parse
from server.settings import SettingsError, read

ONE = "redis://fleet:hunter2@r:6380/1?ssl_ca_certs=/ca.crt"


@pytest.mark.parametrize("url", [ONE, "rediss://r", "unix:///run/redis.sock?db=2", "redis://"])
def test_one_redis_is_reached_as_its_url_says(url: str) -> None:
    taken = parse(url)

    assert (Way.ALONE, url) == (taken.way, taken.redis(taken.places[0]))


def test_sentinels_have_a_user_of_their_own_and_the_certificates_of_all() -> None:
    taken = parse(
        "rediss+sentinel://fleet:hun%2Fter2@one,[::1]:26380/service"
        "?ssl_ca_certs=/ca.crt&db=1&sentinel_username=watch&sentinel_password=a%40b"
    )

    assert (Way.SENTINEL, (("one", 26379), ("::1", 26380)), "service") == (
        taken.way,
        taken.places,
        taken.service,
    )
    assert "rediss://watch:a%40b@[::1]:26380?ssl_ca_certs=%2Fca.crt" == taken.sentinel(taken.places[1])
    assert "rediss://fleet:hun%2Fter2@r:6379?ssl_ca_certs=%2Fca.crt&db=1" == taken.redis(("r", 6379))


def test_sentinels_are_given_no_password_of_redis() -> None:
    taken = parse("redis+sentinel://:hunter2@one/service")

    assert "redis://one:26379" == taken.sentinel(taken.places[0])
    assert "redis://:hunter2@r:6379" == taken.redis(("r", 6379))


def test_a_cluster_is_found_by_any_of_its_servers() -> None:
    taken = parse("redis+cluster://fleet:hunter2@one,two:7000")

    assert (Way.CLUSTER, (("one", 6379), ("two", 7000))) == (taken.way, taken.places)
    assert "redis://fleet:hunter2@three:7002" == taken.redis(("three", 7002))


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("localhost:6379", "must begin with redis://, rediss://, unix://, redis"),
        ("redis+cluser://u:hunter2@r", "must begin with redis://"),
        ("redis://u:hunter2@r:port", "has a port that is none; it is like redis://"),
        ("redis://u:hunter2@r:99999", "has a port that is none"),
        ("redis://u:hunter2@[r", "is not a URL"),
        ("redis://u:hunter2@one,two", "must name one Redis, redis://user:password@host:6379: several"),
        ("redis+sentinel://u:hunter2@one,two", "must name the service .*@host:26379/service"),
        ("redis+sentinel://u:hunter2@one/service/1", "must name the service"),
        ("redis+sentinel://u:hunter2@one,/service", "lacks a host or a port"),
        ("rediss+cluster://u:hunter2@one,two/1", "must name no database"),
        ("redis+cluster://u:hunter2@one?protocol=3&db=1", "must name no database, redis\\+cluster://"),
        ("redis+cluster://u:hunter2@", "lacks a host or a port; it is like redis\\+cluster://"),
        ("redis+cluster://u:hunter2@one:0", "lacks a host or a port"),
    ],
)
def test_a_wrong_url_is_refused_with_a_sentence_that_repeats_nothing(url: str, why: str) -> None:
    with pytest.raises(SettingsError, match=f"FLEETFOLD_REDIS_URL {why}") as refused:
        read({"FLEETFOLD_REDIS_URL": url})

    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "password", ["hun/ter2", "12345/ter2", "12345?ter2", "12345?db=ter2", "12345#ter2", "/#?@"]
)
@pytest.mark.parametrize(
    "form",
    ["redis://u:{}@r", "unix://u:{}@/r.sock", "rediss+sentinel://:{}@r/s", "redis+cluster://u:{}@r,r:1"],
)
def test_a_password_is_percent_encoded_or_the_url_is_refused(form: str, password: str) -> None:
    with pytest.raises(SettingsError, match="user and password percent-encoded") as refused:
        read({"FLEETFOLD_REDIS_URL": form.format(password)})

    assert not {"hun", "ter2", "12345"} & {*re.split(r"\W", str(refused.value))}


@pytest.mark.parametrize("password", ["hun/ter2", "12345?ter2", "1#2+3@4:5%2F6", "+", " ", "ä"])
def test_a_password_of_any_signs_reaches_redis_and_sentinels_as_it_is(password: str) -> None:
    secret = quote(password, safe="")
    one = parse(f"redis://fleet:{secret}@r")
    several = parse(f"redis+sentinel://fleet:{secret}@r/s?sentinel_username=watch&sentinel_password={secret}")

    for url in (one.redis(one.places[0]), several.redis(("r", 1)), several.sentinel(several.places[0])):
        assert password == parse_url(url)["password"]


@pytest.mark.parametrize(
    "url",
    ["redis://r?sock_timeout=3", "redis+cluster://r?protocol=four", "rediss+sentinel://r/s?ssl_cert_reqs=3"],
)
def test_an_option_that_the_client_does_not_take_is_refused(url: str) -> None:
    with pytest.raises(RedisFault, match="FLEETFOLD_REDIS_URL has an option that the client does not take"):
        reached(parse(url), within=1.0)


def test_no_password_is_shown() -> None:
    shown = repr(parse(ONE)) + repr(read({"FLEETFOLD_REDIS_URL": ONE}))

    assert "hunter2" not in shown

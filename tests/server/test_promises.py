"""Limits and security: each row and paragraph of the documents has tests, and the numbers of the code.

A row that is added, reworded or given another number is found here, and so is a test that was renamed.
"""

import re
from functools import cache
from itertools import chain
from pathlib import Path
from typing import get_args

import clients
from domain.kernel import table as kernel
from server import limits
from server.fanout.broadcasts import Timing
from server.http import passages, reads, title_dice
from server.limits import KIB
from server.lobby import listing, suggestions
from server.log import statements, store
from server.protocol import wire
from server.settings import Settings
from server.socket import listening, paced, rota, visit, visitor
from tests.server.test_floods import KINDS

ROOT = Path(clients.__file__).parent.parent
TESTS = ROOT / "tests"
PLATFORM = (ROOT / "docs" / "design" / "platform.md").read_text(encoding="utf-8")
PROTOCOL = (ROOT / "clients" / "PROTOCOL.md").read_text(encoding="utf-8")
SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def number(value: float) -> str:
    """Write a number as the documents do."""
    return "½" if value == 0.5 else f"{value:,g}" if value < 1e6 else f"{value:,.0f}"


def kib(size: int) -> str:
    return f"{size // KIB} KiB" if size < KIB * KIB else f"{size // KIB // KIB} MiB"


def back(bucket: tuple[float, float]) -> str:
    return f"{number(bucket[0])}, all back in {number(bucket[1])} s"


def within(bucket: tuple[float, float]) -> str:
    return f"{number(bucket[0])} in {number(bucket[1])} s"


SOCKET = (ROOT / "clients" / "web" / "src" / "protocol" / "socket.ts").read_text(encoding="utf-8")
APPLICATION_PING = int(re.findall(r"PING_MS = ([\d_]+)", SOCKET)[0]) / 1000
PINGS = f"{listening.PING:g}/{listening.PONG:g}"

SETTINGS = Settings()
HELLOS = f"{limits.HELLOS[0]} at once, {number(limits.HELLOS[0] / limits.HELLOS[1])} a second"
LONGEST_WAIT = number(limits.LONGEST_WAIT)
MOST_FACTS = f"as many as it takes (2³¹ \N{MINUS SIGN} {2**31 - statements.MOST})"

# Row of the table of limits: what the code has, and the tests of it, as module::test.
LIMITS: dict[str, tuple[str, list[str]]] = {
    "message, queue, unsent bytes a connection": (
        f"{kib(listening.MESSAGE)}, {listening.QUEUE}, {kib(listening.UNSENT)}",
        [
            "test_gateway::test_what_is_no_message_closes_the_connection",
            "test_paced::test_messages_that_nobody_takes_are_not_read_either",
            "test_faults::test_onlookers_that_never_read_cost_little_memory_and_nobody_else_a_frame",
        ],
    ),
    "frames read from a connection: messages, fragments, pings, pongs; each KiB counts as one more": (
        back(limits.FRAMES),
        [
            "test_paced::test_every_frame_spends_of_its_connection_and_of_its_address",
            "test_paced::test_beyond_its_budget_a_connection_is_not_read_and_others_are",
        ],
    ),
    f"bytes come beyond that, above which it is closed with {visit.FLOOD}": (
        kib(limits.AHEAD),
        ["test_paced::test_a_great_deal_too_much_is_closed_with_a_code_that_is_not_final_and_a_line"],
    ),
    "decisions of a command; facts of all but the last": (
        f"{kernel.MOST_DECISIONS}, all but the last quiet; {number(kernel.MOST_QUIET_FACTS)}",
        [
            "test_together::test_a_command_holds_so_many_decisions_and_no_more",
            "test_together::test_quiet_decisions_come_to_no_more_facts_than_a_command_holds",
        ],
    ),
    "commands; hellos; lines of chat a connection": (
        f"{within(limits.COMMANDS)}; {HELLOS}; {within(limits.LINES)}",
        ["test_limits::test_who_goes_on_beyond_a_limit_is_refused_ten_times_and_then_closed"],
    ),
    "lines of chat in a room of a match, on a node; of these from one seat, or one address of onlookers": (
        f"{within(limits.ROOM_LINES)}; {within(limits.ROOM_SHARE)}",
        [
            "test_limits::test_a_room_hears_so_many_lines_and_who_says_more_is_refused_and_not_closed",
            "test_chat::test_from_one_address_onlookers_fill_a_third_of_their_room_and_others_are_heard",
            "test_chat::test_a_seat_fills_a_third_of_its_table_and_the_other_is_heard",
            "test_chat::test_players_are_heard_whatever_onlookers_say",
        ],
    ),
    "matches a connection": (
        str(SETTINGS.matches_per_connection),
        ["test_gateway::test_a_connection_watches_so_many_matches_and_no_more"],
    ),
    "websockets an address; connections besides that read over HTTP or have not asked yet": (
        f"{limits.SOCKETS}; {limits.CALLS}",
        [
            "test_gateway::test_an_address_has_so_many_connections_and_no_more",
            "test_paced::test_connections_that_never_ask_leave_room_for_other_addresses",
        ],
    ),
    "connections made from an address": (
        f"{back(limits.ARRIVALS)}; the next waits, up to {LONGEST_WAIT} s, beyond which it is cut off",
        [
            "test_paced::test_whoever_connects_too_often_waits_and_is_served",
            "test_paced::test_where_too_many_wait_the_next_is_turned_away_and_other_addresses_are_not",
        ],
    ),
    "open files of a process that are not for newcomers, who are cut off, wherever they come from": (
        f"{number(limits.SPARE_FILES[0])}, or an eighth of all where that is less",
        [
            "test_files::test_newcomers_are_turned_away_and_counted_before_the_files_run_out_and_play_goes_on",
            "test_files::test_of_several_processes_with_few_files_one_warns_the_operator",
        ],
    ),
    f"work of an address: a frame counts 1 (and 1 a KiB), a hello {number(limits.HELLO)} more, "
    f"a command or a line of chat {number(limits.COMMAND)} more": (
        back(limits.WORK),
        [
            "test_paced::test_every_frame_spends_of_its_connection_and_of_its_address",
            "test_paced::test_a_line_of_chat_and_a_command_that_is_not_stored_cost_their_address_more",
            "test_paced::test_an_address_waits_as_one_and_another_does_not",
        ],
    ),
    f"of it over HTTP: what is at hand {number(limits.FILE)}, what the database is asked for "
    f"{number(limits.QUERY)}, a search {number(limits.SEARCH)}": (
        f"waits; 429 where the address owes more than {number(limits.LONGEST_DEBT)} s",
        [
            "test_limits::test_every_request_spends_of_the_work_of_its_address",
            "test_limits::test_an_address_that_asks_too_much_waits_and_then_is_told_when_to_come_again",
        ],
    ),
    "reads of matches, reports and disputes of a node under way at once; how long the others wait for it": (
        f"{reads.PLACES}; {number(reads.LONGEST)} s, then `busy`",
        [
            "test_reads::test_a_node_has_so_many_places_for_reads_whoever_wants_them",
            "test_reads::test_whoever_reads_goes_before_whoever_disputes",
            "test_reads::test_who_has_waited_too_long_for_a_place_is_told_to_come_later_and_leaves_it_to_the_next",
        ],
    ),
    "parts of what is sent that are read in an iteration of the loop, of each address one in turn": (
        str(rota.AT_ONCE),
        [
            "test_rota::test_of_two_addresses_the_one_with_less_to_say_is_served_as_soon_as_the_other",
            "test_rota::test_who_plays_goes_before_who_comes_and_one_of_those_is_served_each_time",
        ],
    ),
    f"matches that an address reads over HTTP: a fact counts {number(limits.RECORD)} in a record, "
    f"{number(limits.STEPS)} in steps, {number(limits.REPORT)} in a report or a dispute, "
    f"{number(limits.FOLDED)} where it is folded to come to a passage": (
        f"one at a time; {back(limits.READS)}",
        [
            "test_reads::test_an_address_reads_one_match_at_a_time_and_no_other_waits_for_it",
            "test_reads::test_every_fact_of_a_match_that_is_read_counts_for_the_address",
        ],
    ),
    "dice of all matches of a title: what they count of these where they are summed; how long an answer is "
    "kept for all": (
        f"{number(limits.TITLE_DICE)}; {number(title_dice.KEPT)} s",
        [
            "test_title_dice::test_whoever_asks_for_the_dice_of_a_title_within_a_minute_is_answered_by_one_question",
            "test_title_dice::test_the_dice_of_a_title_are_summed_as_a_read_that_the_address_pays_for",
        ],
    ),
    "facts of a passage; of a match above which its steps and its record are read in passages only": (
        f"{number(passages.LONGEST)}; {number(passages.WHOLE)}",
        ["test_passages::test_a_passage_is_no_longer_than_it_may_be_and_a_long_match_is_not_sent_whole"],
    ),
    "such reads of an address that wait, and how long, above which they are refused (`busy`)": (
        f"{limits.READERS}; {number(reads.LONGEST)} s",
        [
            "test_reads::test_more_than_may_wait_are_told_to_come_later",
            "test_reads::test_who_has_waited_too_long_for_his_address_is_told_to_come_later",
            "test_reads::test_who_would_wait_too_long_is_told_at_once_when_to_come_again",
        ],
    ),
    "searches of the list under way at once on a node, of each address in turn; how long the others wait": (
        f"1; {number(listing.LONGEST)} s, then `busy`",
        [
            "test_searches::test_who_searches_elsewhere_waits_behind_one_search_of_a_crowd_and_not_behind_all",
            "test_searches::test_a_search_that_has_waited_too_long_is_for_later_and_leaves_its_turn",
        ],
    ),
    "suggestions of an address that wait for their turn, one at a time on a node, and how long, above which "
    "they are refused (`busy`)": (
        f"{suggestions.WAITING}; {number(suggestions.LONGEST)} s",
        [
            "test_suggestions::test_a_crowd_at_one_address_keeps_nobody_else_from_a_suggestion",
            "test_suggestions::test_a_suggestion_that_has_waited_too_long_is_for_later_and_leaves_its_turn",
        ],
    ),
    "handles that are looked up from an address; persons, ladders and results that somebody who is signed in "
    "looks up, from wherever": (
        f"{within(limits.LOOK_UPS)}; {within(limits.OWN_LOOK_UPS)}, then 429",
        ["test_look_ups::test_a_person_has_his_own_share_of_look_ups_wherever_he_asks_from"],
    ),
    "matches offered from an address; of these open to join, and not left by their makers": (
        f"{limits.CREATIONS[0]} in {number(limits.CREATIONS[1] / 60)} min; {limits.OFFERS}",
        [
            "test_lobby::test_an_address_may_not_offer_matches_without_end",
            "test_listing::test_an_address_has_at_most_three_open_offers",
        ],
    ),
    "HTTP handshake; first message; ping; application ping": (
        f"{paced.REQUEST:g} s; {visitor.FIRST:g} s; {PINGS} s; {APPLICATION_PING:g} s",
        [
            "test_limits::test_a_connection_without_a_whole_request_is_ended_in_time",
            "test_gateway::test_a_connection_that_says_nothing_is_closed",
            "test_gateway::test_a_connection_that_only_begins_its_first_message_is_closed",
            "test_limits::test_who_answers_no_ping_is_ended",
        ],
    ),
    "body of a fact; facts of a command, and their bodies; facts a match": (
        f"{kib(store.BODY)}; {number(statements.COMMAND)}, {kib(store.BODIES)}; {MOST_FACTS}",
        [
            "test_log::test_limits_are_told_before_anything_is_written",
            "test_log::test_a_match_goes_on_behind_any_number_of_facts",
        ],
    ),
}

# How a paragraph of the chapter Security begins: the tests of what it says.
PARAGRAPHS: dict[str, list[str]] = {
    "Whoever holds a link holds what it opens": [
        "test_limits::test_a_link_holds_160_bits_and_is_kept_as_their_sha_256",
        "test_pages::test_no_secret_stands_in_a_path_or_a_query",
        "test_lobby::test_an_exchanged_token_is_void_at_once",
        "test_lobby::test_the_creator_revokes_a_seat_until_the_start",
        "test_database::test_a_token_that_is_void_stays_so",
    ],
    "Whoever sits down": [
        "test_seats::test_the_invitation_to_a_seat_is_void_once_somebody_has_joined",
        "test_seats::test_nobody_takes_a_seat_by_the_id_of_anothers_command",
        "test_seats::test_what_breaks_off_after_the_append_is_completed_by_a_hello_on_any_node",
        "test_seats::test_a_bot_of_the_server_keeps_the_link_that_any_node_can_derive",
        "test_lobby::test_nobody_is_given_the_link_of_a_bots_seat",
    ],
    "A person is known by a passkey": [
        "test_people::test_what_an_authenticator_has_answered_is_good_once",
        "test_people::test_a_copied_passkey_that_counts_behind_is_refused",
        "test_people::test_a_passkey_of_another_page_or_key_is_refused",
        "test_people::test_a_recovery_code_opens_a_session_once",
        "test_people::test_over_https_no_other_host_can_set_the_cookie",
        "test_people::test_a_removed_passkey_ends_the_sessions_that_it_began",
        "test_people::test_whose_session_ends_is_shown_out",
    ],
    "A session opens the seats": [
        "test_people::test_who_takes_a_seat_while_he_is_signed_in_has_it_everywhere",
        "test_people::test_who_looks_on_has_no_seat_by_another_persons_session",
        "test_people::test_a_session_counts_only_for_a_page_of_this_server",
        "test_people::test_by_a_session_one_decides_and_another_link_of_the_seat_may_be_made",
    ],
    "A bot of a person": [
        "test_people_bots::test_a_page_is_not_made_a_bot_by_a_token",
        "test_people_bots::test_by_a_token_for_reading_a_bot_sees_what_its_seats_see_and_commands_nothing",
        "test_people_bots::test_a_removed_token_ends_the_connections_that_came_by_it",
        "test_people_bots::test_a_bots_token_opens_no_seat_and_no_page_of_a_person",
    ],
    "A mailed link": [
        "test_people_mail::test_a_link_is_good_once",
        "test_people_mail::test_in_another_browser_a_link_opens_nothing_and_is_not_used_up",
        "test_people_mail::test_the_answer_is_the_same_whether_an_address_is_known_or_not",
        "test_people_mail::test_neither_addresses_nor_links_stand_in_logs_numbers_tables_or_others_answers",
    ],
    "A provider of identities": [
        "test_people_oidc::test_a_token_that_says_something_wrong_lets_nobody_in",
        "test_people_oidc::test_a_code_of_another_browser_lets_nobody_in_and_is_left_good",
        "test_people_oidc::test_a_code_that_was_stolen_is_redeemed_by_nobody_else",
        "test_people_oidc::test_no_get_begins_or_ends_the_way",
    ],
    "A token is looked up at `hello`": [
        "test_lobby::test_a_link_that_is_no_link_is_refused",
        "test_links::test_a_decision_by_a_link_that_another_node_exchanged_is_not_stored",
        "test_links::test_by_a_void_link_nobody_learns_what_its_seat_may_know",
        "test_links::test_who_only_watches_by_a_link_that_another_node_exchanged_is_shown_out",
        "test_lobby::test_a_token_that_another_node_exchanged_is_found_void",
        "test_limits::test_who_tries_more_than_ten_links_that_open_nothing_is_closed",
    ],
    "The `Origin` of a handshake": [
        "test_gateway::test_a_foreign_page_may_not_connect",
        "test_gateway::test_a_page_is_the_server_s_own_if_its_scheme_is_too",
        "test_gateway::test_behind_tls_the_page_of_the_public_url_may_connect_and_its_plain_double_not",
        "cross-site.spec.ts",
    ],
    "The seat comes from the token": [
        "test_promises::test_no_message_says_for_which_seat_it_decides",
        "test_gateway::test_who_is_not_asked_and_who_looks_on_decide_nothing",
    ],
    "HTTP reads, by GET": [
        "test_pages::test_nothing_but_reading_is_answered",
        "test_people::test_nothing_is_changed_for_another_page",
        "test_people::test_a_body_that_cannot_be_read_is_answered",
        "test_pages::test_a_request_with_a_body_or_of_another_kind_is_told_why_not",
        "test_site::test_nothing_outside_of_the_page_is_served",
        "test_pages::test_no_secret_stands_in_a_path_or_a_query",
    ],
    "Hidden facts": [
        "test_secrecy::test_nobody_is_sent_a_byte_of_another_s_secrets",
        "test_secrecy::test_the_search_finds_a_secret_where_there_is_one",
        "test_hub::test_a_frame_of_one_audience_never_reaches_another",
    ],
    "Nothing is decided for a seat": [
        "test_standing_passes::test_c6_6_a_seat_that_can_only_pass_is_asked_and_nobody_answers_for_it",
        "test_standing_passes::test_c6_9_an_order_waits_as_a_bot_does_and_by_nothing_that_its_seat_holds",
        "test_standing_passes::test_c6_9_an_order_is_carried_out_by_any_node",
    ],
    "msgspec tagged unions": [
        "test_gateway::test_what_is_no_message_closes_the_connection",
        "test_mutated::test_whatever_is_decoded_is_a_message_or_no_message",
        "test_paced::test_every_frame_spends_of_its_connection_and_of_its_address",
    ],
    "`log.audit`": [
        "test_commands::test_a_match_that_has_not_ended",
        "test_commands::test_export_import_export_gives_the_same_bytes",
        "test_listing::test_what_an_operator_hides_is_shown_to_nobody_and_noted",
        "test_backup::test_all_that_is_kept_comes_back_as_it_was_and_goes_on",
        "test_promises::test_every_action_of_an_operator_that_is_noted_is_on_the_page",
    ],
    "Keys from files of mode 0600": [
        "test_keys::test_a_file_that_others_can_read_is_refused",
        "test_keys::test_the_environment_goes_before_the_file",
        "test_keys::test_the_first_key_seals_and_all_open",
        "test_keys::test_a_server_that_is_not_embedded_needs_its_own_keys",
    ],
    "The embedded Postgres": [
        "test_embedded::test_a_server_is_no_superuser_on_its_own_postgres",
        "test_embedded::test_a_folder_of_an_earlier_version_gets_the_login_and_keeps_its_matches",
    ],
}


def rows(text: str, head: str) -> list[list[str]]:
    """Return the cells of the rows below a head such as `| limit | value |`."""
    lines = text[text.index(f"\n{head}\n") + len(head) + 2 :].split("\n\n", 1)[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def chapter(text: str, name: str) -> str:
    return text.split(f"\n## {name}\n")[1].split("\n## ", 1)[0]


@cache
def written() -> frozenset[str]:
    """Return every test there is, as module::test, and the files of those in browsers."""
    found = {path.name for path in (ROOT / "clients" / "web" / "tests").glob("*.spec.ts")}
    for path in TESTS.rglob("test_*.py"):
        names = re.findall(r"^(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        found |= {f"{path.stem}::{name}" for name in names}
    return frozenset(found)


def named(text: str) -> list[str]:
    """Return the tests that a text names."""
    return re.findall(r"`(test_\w+::test_\w+|[\w-]+\.spec\.ts)`", text)


def test_the_table_of_limits_says_what_the_code_has() -> None:
    expected = [[row, value] for row, (value, _) in LIMITS.items()]

    assert expected == rows(PLATFORM, "| limit | value |")


def test_the_protocol_s_page_says_the_same() -> None:
    text = chapter(PROTOCOL, "Limits")
    head, other = "| what | how much | beyond it |", text.index("All connections")
    both = [*rows(text, head), *rows(text[other:], head)]
    said = {row[0].partition(":")[0]: f"{row[1]}; {row[2]}".replace("seconds", "s") for row in both}
    expected = {
        "a message to the server": kib(listening.MESSAGE),
        "frames": back(limits.FRAMES),
        "bytes sent beyond that": kib(limits.AHEAD),
        "decisions of one command": f"{kernel.MOST_DECISIONS},",
        "commands that are refused": within(limits.COMMANDS),
        "hellos": HELLOS,
        "lines of chat": within(limits.LINES),
        "lines of chat in a room of a match, of all who are there": within(limits.ROOM_LINES),
        "lines of these from your seat, or, of onlookers, from your address": within(limits.ROOM_SHARE),
        "messages answered with `too_fast`": f"{visit.PATIENCE} a connection",
        "matches on a connection": str(SETTINGS.matches_per_connection),
        "connections": f"{limits.SOCKETS},",
        "connections made": f"{back(limits.ARRIVALS)}; yours waits up to {LONGEST_WAIT} s",
        "work": back(limits.WORK),
        "requests over HTTP": f"{limits.FILE:g}, {limits.QUERY:g} or {limits.SEARCH:g} of work",
        "matches read over HTTP": f"{back(limits.READS)}; one at a time, and {limits.READERS} may wait",
        "suggestions, of which the server makes one at a time": (
            f"{suggestions.WAITING} may wait, and {number(suggestions.LONGEST)} s at most"
        ),
        "matches offered": f"{limits.CREATIONS[0]} in {number(limits.CREATIONS[1] / 60)} minutes",
        "offers that others may join, and whose maker is there": f"{limits.OFFERS},",
    }

    assert list(expected) == list(said)
    assert [] == [name for name, value in expected.items() if not said[name].startswith(value)]


def test_a_watcher_may_stay_behind_as_long_as_the_documents_say() -> None:
    assert f"still behind after {number(Timing().patience)} s: close 4008" in PLATFORM
    assert f"4008 when it is {number(Timing().patience)} s behind" in SECURITY


def test_every_paragraph_about_security_has_its_tests() -> None:
    paragraphs = re.findall(r"^- (.*)", chapter(PLATFORM, "Security"), re.MULTILINE)
    kept = [paragraph for paragraph in paragraphs if not paragraph.startswith("*Planned*")]

    assert len(PARAGRAPHS) == len(kept)
    assert all(map(str.startswith, kept, PARAGRAPHS))


def test_every_claim_names_its_tests_and_all_of_them_are_there() -> None:
    claims = [
        *(
            row
            for part in SECURITY.split("| claim | tests |")[1:]
            for row in rows("\n| x |\n" + part[1:], "| x |")
        ),
        *rows(SECURITY, "| one connection | what becomes of it | tests |"),
    ]
    mapped = {row: tests for row, (_, tests) in LIMITS.items()} | PARAGRAPHS

    assert len(claims) > 20
    assert [] == [row for row, tests in mapped.items() if not tests]
    assert [] == [claim[0] for claim in claims if not named(claim[-1])]
    assert [] == sorted({*named(SECURITY), *chain.from_iterable(mapped.values())} - written())


def test_every_action_of_an_operator_that_is_noted_is_on_the_page() -> None:
    commands = (ROOT / "server" / "commands").glob("*.py")
    calls = [re.findall(r'\bnote\((?:conn, )?"(\w+)"', path.read_text(encoding="utf-8")) for path in commands]
    noted = set(chain.from_iterable(calls))
    (said,) = re.findall(
        r"^- `log\.audit`: (.*?)^- ", chapter(PLATFORM, "Security"), re.MULTILINE | re.DOTALL
    )

    assert {"backup", "export", "hide", "import", "replay", "restore"} <= noted
    assert noted == set(re.findall(r"`(?:match )?(\w+)`", said))


def test_every_flood_is_on_the_page() -> None:
    listed = [
        row[0].partition("`:")[0].strip("`") for row in rows(SECURITY, "| flood | what holds it back |")
    ]

    assert list(KINDS) == listed


def test_no_message_says_for_which_seat_it_decides() -> None:
    """Those that name a seat ask for one of one's own or a free one, take a link back, or claim its time."""
    with_seat = [one for one in get_args(wire.Incoming) if "seat" in one.__struct_fields__]

    assert [wire.Hello, wire.Join, wire.Claim, wire.Revoke] == with_seat

"""The examples of deploy/patroni: what must hold so that nothing acknowledged is lost."""

import yaml

from server.postgres.database import ANSWER_WITHIN
from tests.cluster import examples
from tests.deploy.files import read, texts


def test_a_commit_waits_for_the_standby_and_nobody_leads_without_one() -> None:
    shared = read("patroni/patroni.yml")["bootstrap"]["dcs"]
    parameters = shared["postgresql"]["parameters"]

    assert shared["synchronous_mode"]
    assert shared["synchronous_mode_strict"]
    assert {"on"} == {parameters[name] for name in ("synchronous_commit", "fsync", "full_page_writes")}
    assert 0 == parameters["max_prepared_transactions"]
    assert shared["loop_wait"] + 2 * shared["retry_timeout"] <= shared["ttl"]
    assert int(parameters["wal_sender_timeout"].rstrip("s")) >= ANSWER_WITHIN


def test_the_database_is_reached_where_patroni_says_that_the_primary_is() -> None:
    settings = read("patroni/patroni.yml")
    text = next(text for path, text in texts().items() if path.parts[-2:] == ("patroni", "haproxy.cfg"))
    lines = [line.strip() for line in text.splitlines()]

    assert "option httpchk OPTIONS /primary" in lines
    assert f"server postgres1 {settings['postgresql']['listen']} check port 8008" in lines
    assert settings["restapi"]["listen"].endswith(":8008")
    assert any(line.endswith("on-marked-down shutdown-sessions") for line in lines)


def test_the_examples_can_be_put_on_one_machine() -> None:
    ports = {"etcd": 1, "patroni": 2, "postgres": 3}
    made = yaml.safe_load(
        examples.patroni("other", examples.DEPLOY, examples.DEPLOY, ports, examples.password())
    )

    assert "other" == made["name"]
    assert "10.0.0." not in yaml.safe_dump(made)
    for text in (examples.balancer(1, [2, 3]), examples.primary(1, [(2, 3), (4, 5), (6, 7)])):
        assert "10.0.0." not in "\n".join(line for line in text.splitlines() if not line.startswith("#"))
        assert "ssl crt" not in text

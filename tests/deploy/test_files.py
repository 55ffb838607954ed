"""The files of deploy/ fit each other and the server: settings, ports, paths, limits, secrets, schemas."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import kubernetes_validate
import pytest
from check_jsonschema.builtin_schemas import get_builtin_schema
from jsonschema.validators import validator_for

from server import settings
from server.http.api import Api
from server.limits import FILES
from server.machine.parent import FAREWELL
from server.postgres.embedded import STOP_WITHIN
from server.settings import FIRST_PORT, Settings
from tests.deploy.files import DEPLOY, SETTING, assigned, manifests, read, seconds, texts

POOLS = SimpleNamespace(http=None)
PEOPLE = SimpleNamespace(looks_up=None)
NODE = cast("Any", SimpleNamespace(reader=None, line=None, database=POOLS, people=PEOPLE))
ROUTES = Api(NODE, lambda: b"", lambda: False).routes()
DRAIN = Settings().drain_seconds
STOP = DRAIN + FAREWELL + STOP_WITHIN
"""Seconds that several processes and a Postgres of ours may take to end."""

VERSIONED = re.compile(r"[a-z]+:\d[\w.]*(-\w+)?")


def resource(kind: str, name: str = "fleetfold") -> dict[str, Any]:
    return next(
        one for _, one in manifests() if (one["kind"], one.get("metadata", {}).get("name")) == (kind, name)
    )


def server_pod(name: str = "fleetfold") -> dict[str, Any]:
    return cast("dict[str, Any]", resource("Deployment", name)["spec"]["template"]["spec"])


def environment(pod: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the settings of a pod's only container, by name."""
    (container,) = pod["containers"]
    return {one["name"]: one for one in container.get("env", ())}


def is_answered(path: str) -> bool:
    return tuple(path.strip("/").split("/")) in ROUTES


# All files


def test_every_setting_that_is_named_is_one_that_the_server_reads() -> None:
    named = {name: path for path, text in texts().items() for name in SETTING.findall(text)}

    assert set() == set(named) - set(settings._NAMES), named
    assert "FLEETFOLD_DATABASE_URL" in named


def test_images_have_a_version() -> None:
    composed = [one["image"] for one in read("container/compose.yaml")["services"].values()]
    run = [
        container["image"]
        for _, one in manifests()
        if one["kind"] == "Deployment"
        for container in one["spec"]["template"]["spec"]["containers"]
    ]
    built = re.findall(r"^FROM (\S+)", (DEPLOY / "container" / "Containerfile").read_text(), re.MULTILINE)

    others = {image for image in composed + run + built if image != "fleetfold"}
    assert {"caddy", "node", "postgres", "python", "redis"} == {image.partition(":")[0] for image in others}
    assert [] == [image for image in others if not VERSIONED.fullmatch(image.replace("-slim", ""))]


# Container


def test_the_compose_file_is_one_by_its_schema() -> None:
    schema = get_builtin_schema("vendor.compose-spec")

    found = validator_for(schema)(schema).iter_errors(read("container/compose.yaml"))
    assert [] == [error.message for error in found]


def test_compose_names_files_that_are_there_and_secrets_that_are_drawn(tmp_path: Path) -> None:
    compose, here = read("container/compose.yaml"), DEPLOY / "container"
    subprocess.run([DEPLOY / "secrets", tmp_path / "secrets"], check=True, stderr=subprocess.DEVNULL)
    bound = [
        volume.partition(":")[0]
        for service in compose["services"].values()
        for volume in service.get("volumes", ())
        if volume.startswith(".")
    ]
    secrets = {name: Path(secret["file"]) for name, secret in compose["secrets"].items()}

    assert [] == [path for path in bound if not (here / path).is_file()]
    assert [] == [path for path in secrets.values() if not (tmp_path / path).read_text().strip()]
    assert set(secrets) == {
        name for service in compose["services"].values() for name in service.get("secrets", ())
    }
    assert {0o600} == {path.stat().st_mode & 0o777 for path in (tmp_path / "secrets").iterdir()}


def test_containers_may_do_little_and_end_in_time() -> None:
    compose = read("container/compose.yaml")
    services = compose["services"]
    server = services["server"]

    for service in services.values():
        assert service["read_only"]
        assert ["ALL"] == service["cap_drop"]
        assert ["no-new-privileges:true"] == service["security_opt"]
        assert service["healthcheck"]["test"]
    assert ["proxy"] == [name for name, one in services.items() if "ports" in one]
    assert {"inside"} == set(services["postgres"]["networks"]) | set(services["redis"]["networks"])
    assert compose["networks"]["inside"]["internal"]
    assert seconds(server["stop_grace_period"]) >= STOP
    assert FILES < server["ulimits"]["nofile"]["hard"]
    assert f"server:{FIRST_PORT}" == services["proxy"]["environment"]["SERVER"]
    asked = re.search(rf"http://127\.0\.0\.1:{FIRST_PORT}(/\w+)", " ".join(server["healthcheck"]["test"]))
    assert asked is not None
    assert is_answered(asked[1])


def test_the_image_listens_where_it_is_asked_and_runs_as_nobody_else() -> None:
    recipe = (DEPLOY / "container" / "Containerfile").read_text()

    assert f"FLEETFOLD_PORT={FIRST_PORT}" in recipe
    assert f"EXPOSE {FIRST_PORT}" in recipe
    assert "USER 10001:10001" in recipe


def test_the_image_has_what_the_lock_names_and_what_traces_take() -> None:
    """Whoever starts it can add nothing: it is read-only, and has no pip."""
    recipe = (DEPLOY / "container" / "Containerfile").read_text()
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text())["project"]

    (extras,) = re.findall(r'--constraint requirements\.lock "\$\(echo dist/\*\.whl\)\[(\w+)\]"', recipe)
    assert "otel" == extras
    assert extras in project["optional-dependencies"]


# systemd


def test_the_unit_is_one_that_systemd_reads(tmp_path: Path) -> None:
    text = (DEPLOY / "systemd" / "fleetfold.service").read_text()
    lines = dict(line.split("=", 1) for line in text.splitlines() if re.match(r"[A-Z]\w+=", line))

    assert seconds(lines["TimeoutStopSec"]) >= STOP
    assert FILES <= int(lines["LimitNOFILE"])
    assert "mixed" == lines["KillMode"]  # its Postgres is stopped by the server, and last
    assert "/opt/fleetfold/bin/fleetfold serve" == lines["ExecStart"]
    unit = tmp_path / "fleetfold.service"
    program = tmp_path / "fleetfold"  # in no folder with a space in its name, as this one may be
    program.symlink_to(sys.executable)
    unit.write_text(text.replace("/opt/fleetfold/bin/fleetfold", str(program)))
    try:
        said = subprocess.run(
            ["systemd-analyze", "verify", unit], check=False, capture_output=True, text=True
        )
    except FileNotFoundError:
        return  # a machine without systemd
    assert (0, "") == (said.returncode, said.stderr)


# Kubernetes


@pytest.mark.parametrize(("file", "one"), [*manifests()])
def test_a_manifest_is_one_by_its_schema(file: str, one: dict[str, Any]) -> None:
    theirs = ("cnpg.io", "kustomize.config.k8s.io")
    if any(name in one["apiVersion"] for name in theirs):
        with pytest.raises(kubernetes_validate.SchemaNotFoundError):
            kubernetes_validate.validate(one, kubernetes_validate.latest_version(), strict=True)
        return
    kubernetes_validate.validate(one, kubernetes_validate.latest_version(), strict=True)

    assert file in read("kubernetes/kustomization.yaml")["resources"]


def test_all_manifests_are_in_the_base_with_the_version_of_the_project() -> None:
    base = read("kubernetes/kustomization.yaml")
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text())["project"]

    there = {path.name for path in (DEPLOY / "kubernetes").glob("*.yaml")} - {"kustomization.yaml"}
    assert {*there, "../redis"} == set(base["resources"])
    assert [{"name": "fleetfold", "newTag": project["version"]}] == base["images"]
    (settings_of_redis,) = read("redis/kustomization.yaml")["configMapGenerator"]
    assert "fleetfold-redis-conf" == settings_of_redis["name"]
    assert [] == [name for name in settings_of_redis["files"] if not (DEPLOY / "redis" / name).is_file()]


def test_probes_ask_what_is_answered_where_it_is_listened() -> None:
    (container,) = server_pod()["containers"]
    env = {one["name"]: one.get("value") for one in container["env"]}

    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert {"http": FIRST_PORT} == ports
    assert str(FIRST_PORT) == env["FLEETFOLD_PORT"]
    probes = [container[f"{name}Probe"]["httpGet"] for name in ("startup", "liveness", "readiness")]
    assert {"http"} == {probe["port"] for probe in probes}
    assert all(is_answered(probe["path"]) for probe in probes)
    assert "/readyz" not in {probe["path"] for probe in probes[:2]}  # no database is a reason to begin anew
    inside = resource("NetworkPolicy")["spec"]["ingress"][0]["ports"][0]["port"]
    assert {inside} == {FIRST_PORT}
    (served,) = resource("Service")["spec"]["ports"]
    assert "http" == served["targetPort"]


def test_a_pod_is_told_nothing_by_the_cluster_and_may_end_in_time() -> None:
    pod = server_pod()
    (container,) = pod["containers"]

    assert pod["enableServiceLinks"] is False  # else FLEETFOLD_PORT is the Service's address
    waits = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["terminationGracePeriodSeconds"] >= waits + DRAIN + 20
    assert pod["securityContext"]["runAsNonRoot"]
    assert container["securityContext"]["readOnlyRootFilesystem"]


def test_who_signs_is_one_pod_and_what_it_has_published_outlives_it() -> None:
    """The folder beside the database is what a log that has lost something is found by."""
    signing = [
        one["metadata"]["name"]
        for _, one in manifests()
        if one["kind"] == "Deployment" and "FLEETFOLD_SIGNER" in environment(one["spec"]["template"]["spec"])
    ]
    spec, pod = resource("Deployment", "fleetfold-sequencer")["spec"], server_pod("fleetfold-sequencer")
    (container,) = pod["containers"]
    folder = f"{environment(pod)['FLEETFOLD_DATA']['value']}/checkpoints"
    (mounted,) = [one["name"] for one in container["volumeMounts"] if one["mountPath"] == folder]
    (volume,) = [one for one in pod["volumes"] if one["name"] == mounted]
    claim = resource("PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"])["spec"]

    assert ["fleetfold-sequencer"] == signing
    assert (1, "Recreate") == (spec["replicas"], spec["strategy"]["type"])
    assert ["ReadWriteOnce"] == claim["accessModes"]
    assert pod["securityContext"]["fsGroup"] == pod["securityContext"]["runAsGroup"]


def test_who_signs_is_a_node_as_the_others_and_is_asked_for_the_key_alone() -> None:
    one, other = server_pod(), server_pod("fleetfold-sequencer")
    (node,), (sequencer,) = one["containers"], other["containers"]
    differ = {"env", "resources", "volumeMounts"}
    (rule,) = resource("Ingress")["spec"]["rules"]
    paths = {
        (path["path"], path["pathType"]): path["backend"]["service"]["name"] for path in rule["http"]["paths"]
    }
    reach = [
        peer["podSelector"]["matchExpressions"][0]["values"]
        for name in ("fleetfold-redis", "fleetfold-postgres")
        for peer in resource("NetworkPolicy", name)["spec"]["ingress"][0]["from"]
        if "matchExpressions" in peer["podSelector"]
    ]
    policy = resource("NetworkPolicy")["spec"]["podSelector"]["matchExpressions"][0]["values"]

    assert {key: node[key] for key in set(node) - differ} == {
        key: sequencer[key] for key in set(sequencer) - differ
    }
    assert environment(one) == {
        name: value for name, value in environment(other).items() if name != "FLEETFOLD_SIGNER"
    }
    assert one["terminationGracePeriodSeconds"] == other["terminationGracePeriodSeconds"]
    assert other["enableServiceLinks"] is other["automountServiceAccountToken"] is False
    assert {("/api/checkpoint", "Exact"): "fleetfold-sequencer", ("/", "Prefix"): "fleetfold"} == paths
    assert is_answered("/api/checkpoint")
    labels = resource("Deployment", "fleetfold-sequencer")["spec"]["template"]["metadata"]["labels"]
    assert labels == resource("Service", "fleetfold-sequencer")["spec"]["selector"]
    assert [["fleetfold", "fleetfold-sequencer"]] * 3 == [*reach, policy]


def test_the_autoscaler_goes_by_the_metric_that_the_adapter_makes() -> None:
    (by,) = resource("HorizontalPodAutoscaler")["spec"]["metrics"]
    (made,) = read("prometheus/adapter.yaml")["rules"]["custom"]

    assert by["pods"]["metric"]["name"] == made["name"]["as"]
    assert made["name"]["as"] in made["seriesQuery"]


def test_the_autoscaler_adds_a_node_well_below_what_was_measured() -> None:
    benchmarks = (DEPLOY.parent / "docs" / "benchmarks.md").read_text()
    chapter = benchmarks.partition("\n## Onlookers of one match\n")[2].partition("\n## ")[0]
    most = max(int(one.replace(",", "")) for one in re.findall(r"^\| ([\d,]+) \|", chapter, re.MULTILINE))
    told = (DEPLOY / "kubernetes" / "scaling.yaml").read_text()
    (by,) = resource("HorizontalPodAutoscaler")["spec"]["metrics"]

    assert f"up to {most:,} sockets of a node (docs/benchmarks.md)" in told
    assert 5 * int(by["pods"]["target"]["averageValue"]) <= most


# Postgres and Redis


def test_postgres_is_set_alike_wherever_it_runs() -> None:
    alone = assigned("postgres/postgresql.conf")
    cluster = resource("Cluster", "fleetfold-postgres")["spec"]
    own = {"max_connections"}  # more nodes

    differing = {
        name: (value, alone.get(name))
        for name, value in cluster["postgresql"]["parameters"].items()
        if name not in own and value != alone.get(name)
    }
    assert {} == differing
    assert "0" == alone["max_prepared_transactions"]
    assert {"0"} == {alone[f"log_parameter_max_length{end}"] for end in ("", "_on_error")}  # they are facts
    assert {"on"} == {
        alone[name] for name in ("fsync", "full_page_writes", "synchronous_commit", "archive_mode")
    }
    made = " ".join(cluster["bootstrap"]["initdb"]["postInitApplicationSQL"])
    roles = set(re.findall(r"CREATE ROLE (game_\w+)", (DEPLOY / "postgres" / "roles.sql").read_text()))
    assert roles == set(re.findall(r"CREATE ROLE (game_\w+)", made))
    assert roles == set(re.findall(r"\bgame_\w+", made))

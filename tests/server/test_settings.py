from pathlib import Path

import pytest

from server.settings import Provider, Settings, SettingsError, default_data, read, refuse_without_keys


def test_nothing_set_means_embedded_in_the_users_own_folder() -> None:
    settings = read({"HOME": "/home/x"})

    assert settings.embedded
    assert ("127.0.0.1", None, None, ()) == (
        settings.host,
        settings.port,
        settings.redis_url,
        settings.origins,
    )
    assert default_data({"HOME": "/home/x"}) == settings.data
    refuse_without_keys(settings)


def test_everything_set() -> None:
    settings = read(
        {
            "FLEETFOLD_DATABASE_URL": "postgresql://u:p@db/fleet",
            "FLEETFOLD_REDIS_URL": "rediss://r:6380/1",
            "FLEETFOLD_HOST": "0.0.0.0",
            "FLEETFOLD_PORT": "80",
            "FLEETFOLD_PUBLIC_URL": "https://fleet.example/",
            "FLEETFOLD_DATA": "/srv/the data",
            "FLEETFOLD_KEYS": "/etc/fleetfold/keys",
            "FLEETFOLD_SIGNER": "~/signer",
            "FLEETFOLD_ORIGINS": "https://fleet.example, http://localhost:5173",
            "FLEETFOLD_LOG_LEVEL": "WARNING",
            "FLEETFOLD_CONNECTIONS_PER_ADDRESS": "1000",
            "FLEETFOLD_OFFERS_PER_ADDRESS": "5",
            "FLEETFOLD_PROXIES": "1",
            "FLEETFOLD_MATCHES_PER_CONNECTION": "4",
            "FLEETFOLD_TABLES_IN_MEMORY": "10",
            "FLEETFOLD_DRAIN_SECONDS": "0",
            "FLEETFOLD_PROCESSES": "3",
        }
    )

    assert (
        Settings(
            database_url="postgresql://u:p@db/fleet",
            redis_url="rediss://r:6380/1",
            host="0.0.0.0",
            port=80,
            public_url="https://fleet.example",
            data=Path("/srv/the data"),
            keys_file=Path("/etc/fleetfold/keys"),
            signer_file=Path.home() / "signer",
            origins=("https://fleet.example", "http://localhost:5173"),
            log_level="warning",
            connections_per_address=1000,
            offers_per_address=5,
            proxies=1,
            matches_per_connection=4,
            tables_in_memory=10,
            drain_seconds=0,
            processes=3,
        )
        == settings
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://db"),
        ("DATABASE_URL", "postgresql://u:p@db:99999/x"),
        ("REDIS_URL", "localhost:6379"),
        ("PORT", "eighty"),
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "٨"),
        ("PUBLIC_URL", "fleet.example"),
        ("PUBLIC_URL", "https://fleet.example/#here"),
        ("DATA", "relative/folder"),
        ("ORIGINS", "https://fleet.example/"),
        ("ORIGINS", "*"),
        ("LOG_LEVEL", "loud"),
        ("DRAIN_SECONDS", "-1"),
        ("PROCESSES", "0"),
    ],
)
def test_a_wrong_value_is_refused_by_name_and_not_repeated(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"FLEETFOLD_{name} ") as refused:
        read({f"FLEETFOLD_{name}": value})

    assert "u:p" not in str(refused.value)


def test_both_urls_may_stand_in_files(tmp_path: Path) -> None:
    urls = {"DATABASE_URL": "postgresql://u:p@db/fleet", "REDIS_URL": "redis://u:p@r:6379"}
    for name, url in urls.items():
        (tmp_path / name).write_text(f"{url}\n")
        (tmp_path / name).chmod(0o600)

    settings = read({f"FLEETFOLD_{name}": str(tmp_path / name) for name in urls})

    assert tuple(urls.values()) == (settings.database_url, settings.redis_url)


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
@pytest.mark.parametrize(
    ("text", "mode", "why"),
    [
        ("redis://u:p@r and postgresql://u:p@db", 0o640, "must be a file of mode 0600"),
        (None, 0, "cannot be read: FileNotFoundError"),
        ("", 0o600, ""),  # of no scheme: it does not count as unset
        ("mysql://u:p@db", 0o600, ""),
    ],
)
def test_a_file_of_a_url_that_is_none_or_that_others_read_is_refused(
    tmp_path: Path, name: str, text: str | None, mode: int, why: str
) -> None:
    file = tmp_path / "url"
    if text is not None:
        file.write_text(text)
        file.chmod(mode)

    with pytest.raises(SettingsError, match=f"FLEETFOLD_{name} .*{why}") as refused:
        read({f"FLEETFOLD_{name}": str(file)})

    assert "u:p" not in str(refused.value)


def test_a_slip_in_a_name_is_refused() -> None:
    with pytest.raises(SettingsError, match="FLEETFOLD_DATABSE_URL is not known; FLEETFOLD_DATABASE_URL is"):
        read({"FLEETFOLD_DATABSE_URL": "postgresql://db"})


def test_a_server_on_a_database_of_the_operators_refuses_to_start_without_keys() -> None:
    with pytest.raises(SettingsError, match="FLEETFOLD_KEYS is not set"):
        refuse_without_keys(read({"FLEETFOLD_DATABASE_URL": "postgresql://db"}))

    refuse_without_keys(read({"FLEETFOLD_DATABASE_URL": "postgresql://db", "FLEETFOLD_KEYS": "a c2VjcmV0"}))


def test_no_secret_is_in_the_repr() -> None:
    shown = repr(read({"FLEETFOLD_DATABASE_URL": "postgresql://u:hunter2@db", "FLEETFOLD_KEYS": "a hunter2"}))

    assert "hunter2" not in shown


def test_the_data_folder_follows_the_desktops_convention(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getuid", lambda: 1000)
    monkeypatch.setattr("sys.platform", "linux")

    assert Path("/d/fleetfold") == default_data({"HOME": "/h", "XDG_DATA_HOME": "/d"})
    assert Path("/h/.local/share/fleetfold") == default_data({"HOME": "/h", "XDG_DATA_HOME": "not/absolute"})
    monkeypatch.setattr("sys.platform", "darwin")
    assert Path("/h/Library/Application Support/fleetfold") == default_data({"HOME": "/h"})
    monkeypatch.setattr("os.getuid", lambda: 0)
    assert Path("/var/lib/fleetfold") == default_data({"HOME": "/root"})


def test_a_mail_server_needs_the_address_that_its_mails_come_from() -> None:
    with pytest.raises(SettingsError, match="FLEETFOLD_MAIL_FROM"):
        read({"FLEETFOLD_MAIL": "smtp://u:secret@mail.example"})

    found = read({"FLEETFOLD_MAIL": "smtp://u:secret@mail.example", "FLEETFOLD_MAIL_FROM": "n@fleet.example"})

    assert found.mail is not None
    assert ("mail.example", 587, "secret") == (found.mail.host, found.mail.port, found.mail.password)
    assert "secret" not in repr(found) + repr(found.mail)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MAIL", "smtp://u:se/cret@mail.example"),
        ("MAIL", "/no/such/file"),
        ("MAIL_FROM", "secret"),
        ("MAIL_FROM", "se cret@fleet.example"),
        ("NOTICES_TO_LOOPBACK", "secret"),
    ],
)
def test_a_wrong_setting_of_notices_is_refused_without_telling_it(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"FLEETFOLD_{name}") as refused:
        read({f"FLEETFOLD_{name}": value})

    assert "cret" not in str(refused.value)


OIDC = {
    "FLEETFOLD_OIDC_ISSUER": "https://login.example/realm",
    "FLEETFOLD_OIDC_CLIENT_ID": "fleetfold",
    "FLEETFOLD_OIDC_CLIENT_SECRET": "hush",
}


def test_a_provider_of_identities_is_called_by_its_host_unless_told() -> None:
    named = read(OIDC | {"FLEETFOLD_OIDC_NAME": "Harbour"}).oidc

    assert Provider("https://login.example/realm", "fleetfold", "hush", "login.example") == read(OIDC).oidc
    assert named is not None
    assert "Harbour" == named.name
    assert "hush" not in repr(read(OIDC))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ISSUER", "http://login.example"),
        ("ISSUER", "login.example"),
        ("ISSUER", "https://login.example/?a=b"),
        ("ISSUER", ""),
        ("CLIENT_ID", ""),
    ],
)
def test_half_a_provider_or_one_without_tls_is_refused(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"FLEETFOLD_OIDC_{name}"):
        read(OIDC | {f"FLEETFOLD_OIDC_{name}": value})


def test_the_secret_of_a_provider_may_stand_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.touch(0o600)
    file.write_text("hush\n")
    found = read(OIDC | {"FLEETFOLD_OIDC_CLIENT_SECRET": str(file)}).oidc

    assert found is not None
    assert "hush" == found.secret

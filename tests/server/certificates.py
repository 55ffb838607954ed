"""An authority of the tests' own, and the certificate that it gives to whoever listens on the loopback."""

import datetime as dt
import ipaddress
from collections.abc import Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Certificates:
    """Files in a folder: `ca.crt`, and `redis.crt` with `redis.key`, good for 127.0.0.1 and an hour."""

    def __init__(self, folder: Path, address: str = "127.0.0.1", names: Sequence[str] = ()) -> None:
        """Make them for an address and names, of an authority that nobody else knows."""
        folder.mkdir(parents=True)
        authority, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
        issuer = _name("an authority of the tests")
        self.ca, self.crt, self.key = (folder / name for name in ("ca.crt", "redis.crt", "redis.key"))
        self.ca.write_bytes(_pem(_begun(issuer, issuer, authority, True).sign(authority, hashes.SHA256())))
        given = _begun(_name("redis"), issuer, key, False).add_extension(
            x509.SubjectAlternativeName(
                [x509.IPAddress(ipaddress.ip_address(address)), *map(x509.DNSName, names)]
            ),
            critical=False,
        )
        self.crt.write_bytes(_pem(given.sign(authority, hashes.SHA256())))
        self.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )

    @property
    def settings(self) -> dict[str, str]:
        """Return what tells a Redis of them."""
        files = {"cert": self.crt, "key": self.key, "ca-cert": self.ca}
        return {f"tls-{name}-file": str(path) for name, path in files.items()}

    @property
    def options(self) -> str:
        """Return what stands behind a URL for who trusts the authority."""
        return f"?ssl_ca_certs={self.ca}"


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, ca: bool
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)

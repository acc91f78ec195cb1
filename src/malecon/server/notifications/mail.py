"""E-mail, if the host has named a mail server: codes that people ask for, and summaries of what waits for them.

Messages are stored first and sent by a tick, so that none is lost when a server stops. A message that cannot be sent
is tried again, less and less often, for about a day.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import smtplib
import ssl
import time
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from sqlalchemy import Connection, delete, insert, select, update

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.schema import MAILS
from malecon.server.storage.store import Storage
from malecon.server.storage.transactions import writes

log = logging.getLogger("malecon.server")
LONGEST_ADDRESS = 200
TIMEOUT_SECONDS = 15.0
#: How long a message waits after each try that failed; then it is given up.
RETRY_SECONDS = (60.0, 600.0, 3600.0, 6 * 3600.0, 24 * 3600.0)
#: While one process sends a message, no other does; after this time it is taken for dead.
LEASE_SECONDS = 120.0
#: Between two looks at what is to be sent, and messages that are sent at a look.
LOOK_SECONDS = 3.0
MOST_AT_ONCE = 20
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+")


@dataclass(frozen=True)
class Mail:
    """A message that is to be sent."""

    id: str
    recipient: str
    subject: str
    text: str
    tries: int


def check_mail_address(text: str) -> str:
    """Return an e-mail address; raise BadSetup if it is none."""
    address = text.strip()
    if len(address) > LONGEST_ADDRESS or not address.isascii() or not _ADDRESS.fullmatch(address):
        raise BadSetup(say("this is not an e-mail address; one looks like ana@example.org"))
    return address


class Mailer:
    """Stores messages and sends them."""

    def __init__(self, storage: Storage, settings: ServerSettings) -> None:
        self._storage, self._settings = storage, settings
        self._looked = 0.0

    @property
    def is_on(self) -> bool:
        return bool(self._settings.smtp_host)

    @writes
    def queue(self, connection: Connection, recipient: str, subject: str, text: str) -> None:
        """Store a message; it is sent within seconds, by any process."""
        row = {"id": secrets.token_hex(12), "recipient": recipient, "subject": subject, "text": text}
        connection.execute(insert(MAILS), row | {"made": time.time(), "due": time.time()})

    async def tick(self) -> None:
        if self.is_on and time.monotonic() - self._looked > LOOK_SECONDS:
            self._looked = time.monotonic()
            await asyncio.to_thread(self._send_due)

    def _send_due(self) -> None:
        for mail in self._claim():
            try:
                self._send(mail)
            except (OSError, smtplib.SMTPException) as error:
                self._put_off(mail, error)
            else:
                self._storage.execute(delete(MAILS).where(MAILS.c.id == mail.id))

    @writes
    def _claim(self, connection: Connection) -> list[Mail]:
        """Return what is due; other processes leave it alone for a while."""
        columns = MAILS.c.id, MAILS.c.recipient, MAILS.c.subject, MAILS.c.text, MAILS.c.tries
        due = select(*columns).where(MAILS.c.due <= time.time()).order_by(MAILS.c.due).limit(MOST_AT_ONCE)
        mails = [Mail(*row) for row in connection.execute(due.with_for_update(skip_locked=True))]
        later = update(MAILS).where(MAILS.c.id.in_([mail.id for mail in mails]))
        connection.execute(later.values(due=time.time() + LEASE_SECONDS, tries=MAILS.c.tries + 1))
        return mails

    def _put_off(self, mail: Mail, error: Exception) -> None:
        own = MAILS.c.id == mail.id
        if mail.tries >= len(RETRY_SECONDS):
            log.error("an e-mail was given up after %d tries: %s", mail.tries + 1, type(error).__name__)
            self._storage.execute(delete(MAILS).where(own))
            return
        log.warning("an e-mail could not be sent, and will be tried again: %s", type(error).__name__)
        self._storage.execute(update(MAILS).where(own).values(due=time.time() + RETRY_SECONDS[mail.tries]))

    def _send(self, mail: Mail) -> None:
        settings = self._settings
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = settings.mail_sender, mail.recipient, mail.subject
        message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=settings.first_host or "localhost")
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(mail.text)
        trust = ssl.create_default_context()
        place = settings.smtp_host, settings.smtp_port
        with (
            smtplib.SMTP_SSL(*place, timeout=TIMEOUT_SECONDS, context=trust)
            if settings.smtp_security == "tls"
            else smtplib.SMTP(*place, timeout=TIMEOUT_SECONDS)
        ) as server:
            if settings.smtp_security == "starttls":
                server.starttls(context=trust)
            if settings.smtp_user:
                server.login(settings.smtp_user, settings.smtp_password)
            server.send_message(message)

"""The shipped examples of proxies, run for real in front of a server of this checkout.

Only what an operator changes is changed in them: names of certificates, ports and folders.
"""

import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))

from collector import ROOT, Collector, wait_until  # noqa: E402

NAME = "stats.example.com"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def found(name):
    """A program of an operator's, who has /usr/sbin on the path."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def changed(text, pairs):
    """The text with each part changed; one that is not in it is an error."""
    for old, new in pairs:
        if old not in text:
            raise AssertionError(f"the example has no “{old}” any more")
        text = text.replace(old, new)
    return text


class Proxied(Collector):
    """A server as the examples ask for it, on a port of its own."""

    def __init__(self):
        super().__init__(command=("serve", "--public-url", f"https://{NAME}", "--keep-addresses"))

    def start(self, port=0):
        # With a public address the server prints that one.
        self.port = free_port()
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [self.program, *self.command, "--data", self.data, "--port", str(self.port)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.address = f"http://127.0.0.1:{self.port}"
        wait_until(lambda: self.get("/readyz")[0] == 200, "the server's readiness")


class Proxy:
    """A proxy in the foreground, on a port of its own, with a certificate that it was made for."""

    def __init__(self, upstream):
        self.upstream = upstream
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="proxy-", dir=os.path.join(ROOT, ".footfall"))
        self.certificate = os.path.join(self.folder, "certificate.pem")
        self.key = os.path.join(self.folder, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
             "-keyout", self.key, "-out", self.certificate],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.log = open(os.path.join(self.folder, "log.txt"), "wb")
        self.process = subprocess.Popen(self.command(), cwd=self.folder, stdout=self.log, stderr=self.log)
        wait_until(self.answers, f"{self.name} at port {self.port}", 20)

    def answers(self):
        if self.process.poll() is not None:
            raise AssertionError(f"{self.name} ended: {open(self.log.name).read()}")
        try:
            return self.get("/healthz")[0] == 200
        except OSError:
            return False

    def connection(self, source=None):
        trusted = ssl.create_default_context(cafile=self.certificate)
        one = http.client.HTTPSConnection(NAME, self.port, timeout=20, context=trusted)
        plain = socket.create_connection(("127.0.0.1", self.port), 20, source and (source, 0))
        one.sock = trusted.wrap_socket(plain, server_hostname=NAME)
        return one

    def send(self, method, path, body=None, headers=None, source=None):
        one = self.connection(source)
        try:
            one.request(method, path, body, {"Host": NAME, **(headers or {})})
            answer = one.getresponse()
            return answer.status, answer.read(), answer.headers
        finally:
            one.close()

    def get(self, path, **more):
        return self.send("GET", path, **more)

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(15)
        finally:
            self.log.close()
            shutil.rmtree(self.folder)


class Nginx(Proxy):
    name = "nginx"

    def command(self):
        with open(os.path.join(ROOT, "Deploy", "nginx.conf")) as file:
            site = changed(file.read(), [
                ("127.0.0.1:4001", f"127.0.0.1:{self.upstream}"),
                ("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"),
                ("listen [::]:443 ssl http2;", ""),
                (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", self.certificate),
                (f"/etc/letsencrypt/live/{NAME}/privkey.pem", self.key)])
        # What /etc/nginx/nginx.conf holds around a file of conf.d, kept within the folder.
        # Its workers would be somebody else's, who may not write there.
        main = f"""
            {"user root;" if os.geteuid() == 0 else ""}
            daemon off;
            pid {self.folder}/pid;
            error_log {self.folder}/errors.txt;
            events {{ worker_connections 512; }}
            http {{
              access_log off;
              client_body_temp_path {self.folder}/body;
              proxy_temp_path {self.folder}/proxy;
              fastcgi_temp_path {self.folder}/fastcgi;
              uwsgi_temp_path {self.folder}/uwsgi;
              scgi_temp_path {self.folder}/scgi;
              {site}
            }}
            """
        path = os.path.join(self.folder, "nginx.conf")
        with open(path, "w") as file:
            file.write(main)
        return [found("nginx"), "-p", self.folder, "-c", path]


class Caddy(Proxy):
    name = "caddy"

    def command(self):
        with open(os.path.join(ROOT, "Deploy", "Caddyfile")) as file:
            site = changed(file.read(), [
                ("127.0.0.1:4001", f"127.0.0.1:{self.upstream}"),
                # It would fetch a certificate from outside, and listen to port 80 for that.
                (f"{NAME} {{", f"{NAME}:{self.port} {{\n\tbind 127.0.0.1\n"
                               f"\ttls {self.certificate} {self.key}")])
        path = os.path.join(self.folder, "Caddyfile")
        with open(path, "w") as file:
            file.write("{\n\tadmin off\n\tauto_https disable_redirects\n"
                       f"\tstorage file_system {self.folder}/storage\n}}\n" + site)
        return ["env", f"HOME={self.folder}", f"XDG_DATA_HOME={self.folder}", f"XDG_CONFIG_HOME={self.folder}",
                found("caddy"), "run", "--config", path, "--adapter", "caddyfile"]


class Examples:
    """What holds behind either proxy."""

    @classmethod
    def setUpClass(cls):
        if found(cls.proxy.name) is None:
            raise unittest.SkipTest(f"{cls.proxy.name} is not installed (script/bootstrap --tests)")

    def setUp(self):
        self.server = Proxied().__enter__()
        self.addCleanup(lambda: self.server.__exit__(None, None, None))
        self.front = self.proxy(self.server.port)
        self.addCleanup(self.front.end)

    def events(self, body, **more):
        headers = {"Authorization": f"Bearer {self.server.key}", "Content-Type": "application/json"}
        return self.front.send("POST", "/v1/events", json.dumps(body), headers, **more)

    def test_events_arrive_and_their_sender_s_address_is_that_before_the_proxy(self):
        event = {"id": "a", "name": "Opened", "ts": int(time.time() * 1000), "device_id": "d"}
        self.assertEqual(self.events({"events": [event]})[0], 202)
        body = {"api_key": self.server.key, "events": [
            {"event_type": "Opened", "user_id": "user-1", "ip": "$remote", "insert_id": "i"}]}
        for claimed in [{}, {"X-Forwarded-For": "203.0.113.7"}]:
            body["events"][0]["insert_id"] += "i"
            status, text, _ = self.front.send(
                "POST", "/2/httpapi", json.dumps(body), {"Content-Type": "application/json", **claimed},
                source="127.0.0.5")
            self.assertEqual(status, 200, text)
        self.server.stop()
        addresses = [event.get("context", {}).get("ip") or event.get("context", {}).get("ip_address")
                     for event in self.server.events() if event.get("user_id") == "user-1"]
        self.assertEqual(addresses, ["127.0.0.5"] * 2)

    def test_a_batch_as_large_as_any_protocol_s_is_let_through(self):
        body = {"api_key": self.server.key, "events": [
            {"event_type": "Opened", "user_id": "user-1", "insert_id": str(number),
             "event_properties": {"text": "x" * 1_000, "more": ["y" * 1_000] * 9}}
            for number in range(1_900)]}
        text = json.dumps(body)
        self.assertGreater(len(text), 18_000_000)
        status, answer, _ = self.front.send("POST", "/batch", text, {"Content-Type": "application/json"})
        self.assertEqual(status, 200, answer)

    def test_numbers_for_operators_stay_inside(self):
        self.assertEqual(self.front.get("/metrics")[0], 404)
        self.assertEqual(self.server.get("/metrics")[0], 200)

    def test_a_page_is_signed_in_to_and_its_stream_flows(self):
        token = self.server.printed(r"/sign-in/(\S+)")
        status, page, headers = self.front.get(f"/sign-in/{token}")
        self.assertEqual(status, 200)
        cookie = headers["Set-Cookie"].split(";")[0]
        hidden = page.decode().split('name="form_token" value="')[1].split('"')[0]
        status, _, headers = self.front.send(
            "POST", f"/sign-in/{token}", f"form_token={hidden}",
            {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded",
             "Origin": f"https://{NAME}", "Sec-Fetch-Site": "same-origin"})
        self.assertEqual(status, 303)
        session = next(one for one in headers.get_all("Set-Cookie") if one.startswith("footfall_session="))
        self.assertIn("Secure", session)
        one = self.front.connection()
        plain = one.sock
        one.request("GET", "/projects/1/live/stream", headers={"Host": NAME, "Cookie": session.split(";")[0]})
        stream = one.getresponse()
        self.assertEqual(stream.status, 200)
        lines = []

        def read():
            try:
                for line in stream:
                    lines.append(line)
            except (OSError, http.client.HTTPException):
                pass  # The test is over.

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        wait_until(lambda: b"event: ready\n" in lines, "the stream's beginning", 10)
        event = {"id": "b", "name": "Seen", "ts": int(time.time() * 1000), "device_id": "d"}
        self.assertEqual(self.events({"events": [event]})[0], 202)
        # Passed on at once, and not when a buffer is full or the stream ends.
        wait_until(lambda: any(b"Seen" in line for line in lines), "the event", 10)
        plain.shutdown(socket.SHUT_RDWR)
        reader.join(10)
        stream.close()
        plain.close()
        self.assertFalse(reader.is_alive())
        # A proxy that reads on for whoever left does not end now, either: `end` gives it 15 s.


class BehindNginx(Examples, unittest.TestCase):
    proxy = Nginx


class BehindCaddy(Examples, unittest.TestCase):
    proxy = Caddy


if __name__ == "__main__":
    unittest.main()

"""Listens as the viewer tev does, and keeps what it is shown: when the other side has closed the connection, every image is in
NAME.channel.f32 (rows from the top, the " (123)" of its name left out), and `log` tells what came, a line each: "create NAME
WIDTH HEIGHT CHANNELS", "update NAME CHANNEL X Y WIDTH HEIGHT", "end".

usage: tev.py FOLDER [HOST] [stop BYTES | close BYTES | crawl BYTES]

FOLDER/port names the port. HOST is 127.0.0.1. After so many BYTES it stops reading, closes the connection, or reads 100 bytes
ten times a second."""
import os
import re
import socket
import struct
import sys
import time

folder = sys.argv[1]
rest = sys.argv[2:]
host = rest.pop(0) if rest and rest[0] not in ("stop", "close", "crawl") else "127.0.0.1"
end, after = (rest[0], int(rest[1])) if rest else ("", 0)
images = {}


class Message:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def text(self):
        stop = self.data.index(b"\0", self.at)
        text = self.data[self.at:stop].decode()
        self.at = stop + 1
        return text


def handle(data, log):
    message = Message(data)
    length, operation, grabs = message.take("IBB")
    assert length == len(data) and grabs == (operation == 4), (length, operation, grabs)
    name = re.sub(r" \(\d+\)$", "", message.text())
    if operation == 4:
        width, height, count = message.take("3i")
        channels = [message.text() for _ in range(count)]
        images[name] = (width, height, {channel: [0.0] * (width * height) for channel in channels})
        log.write("create %s %d %d %s\n" % (name, width, height, "".join(channels)))
    else:
        assert operation == 3, operation
        channel = message.text()
        x, y, width, height = message.take("4i")
        whole_width, whole_height, values = images[name]
        assert 0 <= x < x + width <= whole_width and 0 <= y < y + height <= whole_height
        for row in range(y, y + height):
            values[channel][row * whole_width + x:row * whole_width + x + width] = message.take("%df" % width)
        log.write("update %s %s %d %d %d %d\n" % (name, channel, x, y, width, height))
    assert message.at == len(data), (message.at, len(data))
    log.flush()


def receive(connection, log):
    data, received = b"", 0
    while True:
        if end and received >= after:
            if end == "close":
                return
            time.sleep(0.1 if end == "crawl" else 60)
        more = connection.recv(100 if end == "crawl" else 1 << 16)
        if not more:
            assert not data, "half a message"
            return
        received += len(more)
        data += more
        while len(data) >= 4 and len(data) >= struct.unpack_from("<I", data)[0]:
            length, = struct.unpack_from("<I", data)
            handle(data[:length], log)
            data = data[length:]


server = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
if end:
    server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
server.bind((host, 0))
server.listen()
with open(folder + "/port.new", "w") as file:
    file.write(str(server.getsockname()[1]))
os.rename(folder + "/port.new", folder + "/port")
with open(folder + "/log", "w") as log:
    connection, _ = server.accept()
    receive(connection, log)
    connection.close()
    log.write("end\n")
for name, (width, height, values) in images.items():
    for channel, plane in values.items():
        with open("%s/%s.%s.f32" % (folder, name, channel), "wb") as file:
            file.write(struct.pack("%df" % len(plane), *plane))

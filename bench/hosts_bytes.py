#!/usr/bin/env python3
"""Measures what crosses the network for one 4K frame that another host renders: the scene's block, the pixels and all else.

usage: hosts_bytes.py NETNS SPP SCENE.pbrt [SCENE.pbrt ...] >bench/results/csv/hosts-bytes.csv      LBRENDER names the program

NETNS is ../shared/tools/cluster, whose net_up.sh has made the hosts lbn0 and lbn1: the first is the primary, which renders
nothing itself, the second the worker, with a thread for each CPU. The picture has 3840x2160 pixels with SPP samples each. What
they say passes a program in the worker's host that reads each message's kind, and the counters of the host's network
interface tell how many bytes that is with TCP, IP and Ethernet. A line each: scene, with a key or without (where nobody can
read what is said), bytes of the block and of the pixels as they are, and as they were sent; all other bytes of messages; messages;
bytes on the wire to the worker and from it."""
import csv
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("LBRENDER", HERE + "/../build/lbrender")
PIXELS, PIXEL_BYTES = 3840 * 2160, 32
PICTURE = ["--resolution=3840x2160", "--no-cache"]
PIXELS_KIND, BYTES_KIND = 4, 12  # of enum lb_message_kind, hosts/wire/message.h


class Counter:
    """Passes one connection on, and counts the bytes of the messages of each kind, by ZeroMQ's protocol (rfc 23)."""

    def __init__(self, address):
        host, port = address.removeprefix("tcp://").rsplit(":", 1)
        self.kinds, self.messages, self.whole = {}, 0, 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = "tcp://127.0.0.1:%d" % self.server.getsockname()[1]
        self.target = (host, int(port))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        near = self.server.accept()[0]
        far = socket.create_connection(self.target)
        for end in near, far:
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=self.carry, args=(near, far), daemon=True).start()
        self.carry(far, near)

    def carry(self, source, sink):
        """A greeting of 64 bytes, then frames: flags, a length of 1 or 8 bytes, and the body."""
        held, greeted = b"", False
        while data := source.recv(1 << 18):
            sink.sendall(data)
            held += data
            if not greeted and len(held) >= 64:
                held, greeted = held[64:], True
            while greeted and (frame := self.cut(held)):
                held = held[frame:]
        sink.shutdown(socket.SHUT_WR)

    def cut(self, held):
        """The length of the first frame, which is counted; 0: not all of it is there."""
        long = len(held) > 0 and held[0] & 2
        head = 9 if long else 2
        if len(held) < head:
            return 0
        body = struct.unpack(">Q", held[1:9])[0] if long else held[1]
        if len(held) < head + body:
            return 0
        kind = struct.unpack("<I", held[head:head + 4])[0] if not held[0] & 4 and body >= 4 else 0
        self.kinds[kind] = self.kinds.get(kind, 0) + body
        self.messages += 1
        return head + body


def wire():
    """Bytes that the worker's interface has received and sent."""
    read = lambda way: int(subprocess.run(["ip", "netns", "exec", "lbn1", "cat", "/sys/class/net/eth0/statistics/%s_bytes" % way],
                                          capture_output=True, check=True).stdout)
    return read("rx"), read("tx")


def measure(scene, spp, key, folder):
    report = folder + "/report.json"
    trust = ["--key=" + key] if key else ["--insecure"]
    before = wire()
    primary = subprocess.Popen(["ip", "netns", "exec", "lbn0", PROGRAM, "--serve=tcp://10.88.0.1:0", "--devices=host", "--report=" + report,
                                "--spp=" + spp, "-o", folder + "/x.png", scene] + PICTURE + trust, stderr=subprocess.PIPE, text=True)
    address = primary.stderr.readline().split("--join=")[1].split()[0]
    counter = subprocess.Popen(["ip", "netns", "exec", "lbn1", sys.executable, __file__, "--count", address], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    through = counter.stdout.readline().strip()
    subprocess.run(["ip", "netns", "exec", "lbn1", PROGRAM, "-q", "--no-cache", "--join=" + through] + trust, check=True)
    if primary.wait() != 0:
        sys.exit(primary.stderr.read())
    kinds = json.loads(counter.communicate("\n")[0])
    host = json.load(open(report))["frames"][0]["processors"][0]["host"]
    after = wire()
    return kinds, host["network_messages"], after[0] - before[0], after[1] - before[1]


def block_bytes(scene):
    """The block's size as the program tells it, in bytes of the megabytes that it prints."""
    told = subprocess.run([PROGRAM, "-v", "--no-cache", "-o", "none", "--resolution=1x1", "--spp=1", scene], capture_output=True, text=True).stderr
    return float(told.split(" triangles, ")[1].split(" MB")[0]) * 1e6


def main():
    if sys.argv[1] == "--count":
        counter = Counter(sys.argv[2])
        print(counter.address, flush=True)
        sys.stdin.readline()
        print(json.dumps(counter.kinds))
        return
    spp, scenes = sys.argv[2], sys.argv[3:]
    out = csv.writer(sys.stdout, lineterminator="\n")
    print("# %s, 3840x2160, %s samples a pixel, one worker; in MB of a million bytes" %
          (subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout.strip(), spp))
    out.writerow(["scene", "key", "block", "block sent", "pixels", "pixels sent", "all else", "messages", "wire to it", "wire from it"])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, "--make-key=" + folder + "/key"], check=True)
        for scene in scenes:
            for key in "", folder + "/key":
                kinds, messages, there, back = measure(scene, spp, key, folder)
                kinds = {int(kind): size for kind, size in kinds.items()}
                rest = sum(kinds.values()) - kinds.get(BYTES_KIND, 0) - kinds.get(PIXELS_KIND, 0)
                split = ["-"] * 3 if key else ["%.3f" % (size * 1e-6) for size in (kinds[BYTES_KIND], kinds[PIXELS_KIND], rest)]
                out.writerow([os.path.splitext(os.path.basename(scene))[0], "yes" if key else "no", "%.1f" % (block_bytes(scene) * 1e-6), split[0],
                              "%.1f" % (PIXELS * PIXEL_BYTES * 1e-6), split[1], split[2], messages, "%.3f" % (there * 1e-6),
                              "%.3f" % (back * 1e-6)])
                sys.stdout.flush()


main()

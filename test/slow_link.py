#!/usr/bin/env python3
"""A network between two programs of one machine: what connects to a port is passed on to an address, late and slowly.

usage: slow_link.py tcp://HOST:PORT [--delay SECONDS] [--rate BITS_A_SECOND]

Prints the address where it listens, "tcp://127.0.0.1:PORT", and passes on until it is ended. Each byte arrives after the
delay, each way, and no faster than the rate, each way. On SIGUSR1 it passes nothing on any more and drops what comes, as
a cable that was cut, until the next SIGUSR1. Connections of before are dead then all the same, as after a cut of minutes,
when they try again seldom, and nobody is told so; new ones are passed on. On SIGUSR2 it breaks all connections."""
import argparse
import asyncio
import signal
import socket
import time

CHUNK = 16384


class Link:
    def __init__(self, delay, rate):
        self.delay, self.rate, self.cut, self.cuts, self.writers = delay, rate, False, 0, set()

    async def carry(self, reader, writer):
        """What is read is written after the delay; the reader is read no faster than the rate."""
        line, cuts = asyncio.Queue(), self.cuts
        delivery = asyncio.ensure_future(self.deliver(line, writer, cuts))
        free = time.monotonic()
        try:
            while data := await reader.read(CHUNK):
                if self.cuts > cuts:
                    continue
                free = max(free, time.monotonic()) + (8 * len(data) / self.rate if self.rate else 0)
                await line.put((free + self.delay, data))
                if free > time.monotonic():
                    await asyncio.sleep(free - time.monotonic())
        except OSError:
            pass
        if self.cuts > cuts:
            await asyncio.Future()  # the other end does not hear that this one hung up
        await line.put((0, None))
        await delivery

    async def deliver(self, line, writer, cuts):
        try:
            while True:
                due, data = await line.get()
                if data is None:
                    break
                await asyncio.sleep(max(0, due - time.monotonic()))
                if self.cuts == cuts:
                    writer.write(data)
                    await writer.drain()
        except OSError:
            pass
        writer.close()

    async def connect(self, address, reader, writer):
        while self.cut:
            await asyncio.sleep(0.01)
        try:
            far_reader, far_writer = await asyncio.open_connection(*address)
        except OSError:
            writer.close()
            return
        ends = (writer, far_writer)
        for end in ends:
            end.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.writers.update(ends)
        await asyncio.gather(self.carry(reader, far_writer), self.carry(far_reader, writer))
        self.writers.difference_update(ends)

    def toggle(self):
        self.cut = not self.cut
        self.cuts += self.cut

    def reset(self):
        for writer in list(self.writers):
            writer.transport.abort()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("--delay", type=float, default=0)
    parser.add_argument("--rate", type=float, default=0)
    options = parser.parse_args()
    host, port = options.address.removeprefix("tcp://").rsplit(":", 1)
    link = Link(options.delay, options.rate)
    server = await asyncio.start_server(lambda r, w: link.connect((host, int(port)), r, w), "127.0.0.1", 0)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, link.toggle)
    loop.add_signal_handler(signal.SIGUSR2, link.reset)
    print("tcp://127.0.0.1:%d" % server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())

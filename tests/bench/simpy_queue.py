# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the CPU time, in ns, that SimPy takes for a customer of an M/M/1 queue at load 0.9.

Debian has SimPy twice: python3-simpy3 is the current one, python3-simpy the classic. Exit status
1 when there is neither.
"""

import random
import sys
import time

CUSTOMERS = 40000


def current(simpy):
    def customer(server):
        with server.request() as turn:
            yield turn
            yield environment.timeout(random.expovariate(1.0))

    def source(server):
        for _ in range(CUSTOMERS):
            environment.process(customer(server))
            yield environment.timeout(random.expovariate(0.9))

    environment = simpy.Environment()
    environment.process(source(simpy.Resource(environment, 1)))
    return environment.run


def classic(simulation):
    class Customer(simulation.Process):
        def visit(self, server):
            yield simulation.request, self, server
            yield simulation.hold, self, random.expovariate(1.0)
            yield simulation.release, self, server

    class Source(simulation.Process):
        def send(self, server):
            for _ in range(CUSTOMERS):
                customer = Customer()
                simulation.activate(customer, customer.visit(server))
                yield simulation.hold, self, random.expovariate(0.9)

    simulation.initialize()
    source = Source()
    simulation.activate(source, source.send(simulation.Resource(1)))
    return lambda: simulation.simulate(until=1e12)


def ready():
    try:
        import simpy

        return current(simpy)
    except ImportError:
        pass
    try:
        import SimPy.Simulation

        return classic(SimPy.Simulation)
    except ImportError:
        sys.exit(1)


def customer_ns():
    random.seed(1)
    run = ready()
    start = time.thread_time()
    run()
    return (time.thread_time() - start) / CUSTOMERS * 1e9


print(sorted(customer_ns() for _ in range(5))[2])

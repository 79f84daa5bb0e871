package io.dedupstore.server.raft;

import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.kv.RocksKvStore;
import io.dedupstore.core.kv.RocksResources;
import io.dedupstore.core.kv.StoreLimits;
import io.dedupstore.core.kv.WriteMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/**
 * Three one-member groups: time to start, commands a second and their latency with 1 and with 64
 * callers, time to close. Run with the test class path and a fresh directory.
 */
final class RaftMeasurement {
    private static final int COMMAND_BYTES = 4096;

    private RaftMeasurement() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        List<String> names = List.of("control", "metadata", "index");
        List<RocksKvStore> stores = new ArrayList<>();
        try (RocksResources resources = new RocksResources(StoreLimits.DEFAULT);
                WorkerPool kv = new WorkerPool("kv", 2)) {
            List<GroupSpec> specs = new ArrayList<>();
            long begin = System.nanoTime();
            for (String name : names) {
                RocksKvStore store =
                        RocksKvStore.open(
                                directory.resolve(name),
                                List.of(CountingMachine.COUNTS, RaftGroup.POSITION_TABLE),
                                resources,
                                WriteMode.UNLOGGED);
                stores.add(store);
                specs.add(new GroupSpec(name, new CountingMachine(), store));
            }
            long opened = System.nanoTime();
            RaftHost host =
                    RaftHost.start(
                            TestNode.options(directory), specs, kv, Throwable::printStackTrace);
            System.out.printf(
                    "stores %d ms, raft %d ms%n",
                    (opened - begin) / 1_000_000, (System.nanoTime() - opened) / 1_000_000);
            RaftGroup group = host.group("index");
            for (int round = 0; round < 3; round++) {
                run(group, 1, 1000);
                run(group, 64, 20_000);
            }
            long closing = System.nanoTime();
            host.close();
            stores.forEach(RocksKvStore::close);
            System.out.printf("close %d ms%n", (System.nanoTime() - closing) / 1_000_000);
        }
    }

    private static void run(RaftGroup group, int callers, int commands) throws Exception {
        List<Future<long[]>> results = new ArrayList<>();
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < callers; caller++) {
                int first = caller * commands;
                int each = commands / callers;
                results.add(threads.submit(() -> submit(group, first, each)));
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        LongStream all = LongStream.empty();
        for (Future<long[]> result : results) {
            all = LongStream.concat(all, Arrays.stream(result.get()));
        }
        long[] nanos = all.sorted().toArray();
        System.out.printf(
                "%d callers: %.0f commands/s, p50 %.2f ms, p99 %.2f ms%n",
                callers,
                nanos.length / seconds,
                nanos[nanos.length / 2] / 1e6,
                nanos[nanos.length * 99 / 100] / 1e6);
    }

    private static long[] submit(RaftGroup group, int first, int count) {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            group.submit(CountingMachine.command(first + i, COMMAND_BYTES));
            nanos[i] = System.nanoTime() - begin;
        }
        return nanos;
    }
}

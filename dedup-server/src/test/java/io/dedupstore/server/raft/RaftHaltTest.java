package io.dedupstore.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvException;
import io.dedupstore.core.kv.KvSnapshot;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.state.ReplicationException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class RaftHaltTest {
    @TempDir private Path directory;

    @Test
    void aCommandThatCannotBeAppliedHaltsTheProcessAndNothingMoreIsApplied() throws Exception {
        try (TestNode node = new TestNode(directory)) {
            node.submit(1);

            assertThatThrownBy(() -> node.submit(-1)).isInstanceOf(ReplicationException.class);

            assertThat(node.failures).hasSize(1);
            assertThatThrownBy(() -> node.submit(2)).hasMessageContaining("has failed");
            assertThat(node.group().readLocal(CountingMachine::total)).isEqualTo(1);
        }
    }

    @Test
    void aStoreThatFailsHaltsTheProcessAndTheCommandIsAppliedAfterTheRestart() throws Exception {
        FailingStore[] failing = new FailingStore[1];
        UnaryOperator<KvStore> wrap =
                store -> {
                    failing[0] = new FailingStore(store);
                    return failing[0];
                };
        try (TestNode node = new TestNode(directory, TestNode.options(directory), wrap)) {
            node.submit(1);
            failing[0].broken = true;

            assertThatThrownBy(() -> node.submit(2))
                    .isInstanceOfSatisfying(
                            ReplicationException.class,
                            e -> assertThat(e.code()).isEqualTo(ReplicationException.Code.UNKNOWN));
            assertThat(node.failures).hasSize(1);
        }
        try (TestNode node = new TestNode(directory)) {
            assertThat(node.total()).isEqualTo(2);
        }
    }

    @Test
    void aLogThatCannotBeWrittenHaltsTheProcess() throws Exception {
        try (TestNode node = new TestNode(directory)) {
            node.group()
                    .ratisMachine()
                    .notifyLogFailed(new java.io.IOException("No space left on device"), null);

            assertThat(node.failures).hasSize(1);
            assertThatThrownBy(() -> node.submit(1)).hasMessageContaining("has failed");
        }
    }

    @Test
    void aGroupThatRatisClosesByItselfHaltsTheProcess() throws Exception {
        try (TestNode node = new TestNode(directory)) {
            node.group().ratisMachine().close();

            assertThat(node.failures).hasSize(1);
        }
    }

    @Test
    void aDiskBelowItsWatermarkRefusesTheStart() {
        RaftOptions options =
                TestNode.options(directory).withDiskWatermarks(Long.MAX_VALUE, Long.MAX_VALUE);

        assertThatThrownBy(() -> new TestNode(directory, options, UnaryOperator.identity()))
                .hasMessageContaining("MiB free");
    }

    @Test
    void onANearlyFullDiskCommandsAreNotAcceptedAndReadsGoOn() throws Exception {
        RaftOptions options = TestNode.options(directory).withDiskWatermarks(Long.MAX_VALUE, 0);
        try (TestNode node = new TestNode(directory, options, UnaryOperator.identity())) {
            assertThatThrownBy(() -> node.submit(1))
                    .isInstanceOfSatisfying(
                            ReplicationException.class,
                            e ->
                                    assertThat(e.code())
                                            .isEqualTo(ReplicationException.Code.NOT_ACCEPTED));
            assertThat(node.total()).isZero();
            assertThat(node.failures).isEmpty();
        }
    }

    /** A store whose disk can be made to fail. */
    private static final class FailingStore implements KvStore {
        private final KvStore store;
        private volatile boolean broken;

        FailingStore(KvStore store) {
            this.store = store;
        }

        @Override
        public void write(KvBatch batch) {
            if (broken) {
                throw new KvException("writing failed", new java.io.IOException("disk"));
            }
            store.write(batch);
        }

        @Override
        public KvSnapshot snapshot() {
            return store.snapshot();
        }

        @Override
        public void flush() {
            store.flush();
        }

        @Override
        public void checkpoint(Path target) {
            store.checkpoint(target);
        }

        @Override
        public long sizeBytes(Table table) {
            return store.sizeBytes(table);
        }

        @Override
        public void close() {
            store.close();
        }

        @Override
        public byte @Nullable [] get(Table table, byte[] key) {
            return store.get(table, key);
        }

        @Override
        public List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
            return store.multiGet(table, keys);
        }

        @Override
        public KvCursor scan(Table table, byte[] from, byte @Nullable [] to) {
            return store.scan(table, from, to);
        }
    }
}

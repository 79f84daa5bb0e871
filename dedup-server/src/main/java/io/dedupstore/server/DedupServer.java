package io.dedupstore.server;

import io.dedupstore.core.io.ProcessEnd;
import io.dedupstore.core.jni.NativeLibrary;
import io.dedupstore.server.config.ConfigException;
import io.dedupstore.server.config.ServerConfig;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * The process: all roles on one directory. Exit codes: 0 stopped when asked, 2 wrong arguments or
 * configuration, 1 could not start, 3 halted because the store can no longer be trusted.
 */
public final class DedupServer {
    private static final Logger LOG = LoggerFactory.getLogger(DedupServer.class);
    private static final int EXIT_FAILED = 1;
    private static final int EXIT_USAGE = 2;
    private static final int EXIT_HALTED = 3;

    private DedupServer() {}

    public static void main(String[] args) {
        List<String> arguments = List.of(args);
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        try {
            if (arguments.isEmpty() || ServerConfig.asksForHelp(arguments)) {
                System.out.println(ServerConfig.help());
                return;
            }
            run(ServerConfig.load(arguments, System.getenv()));
        } catch (ConfigException e) {
            System.err.println("dedup: " + e.getMessage());
            System.exit(EXIT_USAGE);
        } catch (StartException e) {
            System.err.println("dedup: " + e.getMessage());
            LOG.debug("start failed", e);
            System.exit(EXIT_FAILED);
        } catch (RuntimeException e) {
            LOG.error("start failed", e);
            System.err.println("dedup: start failed: " + e.getMessage());
            System.exit(EXIT_FAILED);
        }
    }

    private static void run(ServerConfig config) {
        if (!config.hash().cpuLimit().isEmpty()) {
            NativeLibrary.limitTo(config.hash().cpuLimit());
        }
        ServerAssembly server = ServerAssembly.start(config, DedupServer::halt);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("shutdown")
                                .unstarted(
                                        () -> {
                                            server.close();
                                            stopped.countDown();
                                        }));
        System.out.println(Banner.of(server.credentials(), config, server.isNew()));
        System.out.flush();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A log or store that failed must not be written again: no shutdown hook, no flush, no answer.
     */
    private static void halt(Throwable cause) {
        LOG.error("the store cannot be trusted any more; halting", cause);
        System.err.println("dedup: halted: " + cause);
        ProcessEnd.now(EXIT_HALTED);
    }
}

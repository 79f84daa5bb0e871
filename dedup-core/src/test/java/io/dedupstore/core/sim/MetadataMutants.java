package io.dedupstore.core.sim;

import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.metadata.MetadataProto;
import io.dedupstore.core.metadata.MetadataProto.FateRow.Fate;
import io.dedupstore.core.metadata.MetadataProto.Refusal;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.StateMachine;
import java.util.List;
import java.util.Set;

/** Bugs around the machine of the metadata shard. */
final class MetadataMutants {
    private static final long ANOTHER = 1L << 32;

    private MetadataMutants() {}

    private interface Change {
        void of(KvTransaction rows, MetadataProto.Command.Builder command);
    }

    private static StateMachine changed(StateMachine machine, Change change) {
        return new Altered(machine) {
            @Override
            byte[] alter(KvTransaction rows, byte[] bytes) {
                MetadataProto.Command.Builder command = MetadataRows.command(bytes).toBuilder();
                change.of(rows, command);
                return MetadataRows.bytes(bytes[0], command.build());
            }
        };
    }

    static StateMachine withoutEpochCheck(StateMachine machine) {
        return new Altered(machine) {
            @Override
            public byte[] apply(KvTransaction rows, byte[] command) {
                return MetadataRows.isRequest(command)
                        ? MetadataRows.withoutRefusedEpoch(rows, () -> super.apply(rows, command))
                        : super.apply(rows, command);
            }
        };
    }

    static StateMachine commitsAgain(StateMachine machine) {
        return changed(
                machine,
                (rows, command) -> {
                    if (command.hasPutObject()) {
                        V v = MetadataRows.v(command.getV());
                        if (MetadataRows.fate(rows, v) == Fate.COMMITTED) {
                            MetadataRows.forgetFate(rows, v);
                        }
                    }
                });
    }

    static StateMachine forgetsFateWithVersion(StateMachine machine) {
        return new Altered(machine) {
            @Override
            public byte[] apply(KvTransaction rows, byte[] command) {
                Set<V> gone = MetadataRows.versions(rows);
                byte[] reply = super.apply(rows, command);
                gone.removeAll(MetadataRows.versions(rows));
                gone.forEach(v -> MetadataRows.forgetFate(rows, v));
                return reply;
            }
        };
    }

    /** A refusal for a failed precondition leaves no trace at all. */
    static StateMachine leavesFailedOpen(StateMachine machine) {
        return new Altered(machine) {
            @Override
            public byte[] apply(KvTransaction rows, byte[] command) {
                KvTransaction trial = new KvTransaction(rows);
                byte[] reply = super.apply(trial, command);
                Refusal refusal = MetadataRows.reply(reply).getRefusal();
                if (refusal != Refusal.PRECONDITION_FAILED && refusal != Refusal.NO_SUCH_KEY) {
                    MetadataRows.copy(trial, rows);
                }
                return reply;
            }
        };
    }

    /** Each time it comes it is another attempt. */
    static StateMachine deletesWithoutV(StateMachine machine) {
        return changed(
                machine,
                (rows, command) -> {
                    if (command.hasDeleteObject()) {
                        V v = MetadataRows.v(command.getV());
                        while (MetadataRows.fate(rows, v) != Fate.UNKNOWN) {
                            v = new V(v.epoch(), v.session(), v.counter() + ANOTHER);
                        }
                        command.setV(MetadataRows.bytes(v));
                    }
                });
    }

    static StateMachine releasesAtFirstLostUse(StateMachine machine) {
        return changed(
                machine,
                (rows, command) -> {
                    if (command.hasWork()) {
                        MetadataRows.holdersInUse(rows)
                                .forEach(holder -> MetadataRows.setUses(rows, holder, 1));
                    }
                });
    }

    static StateMachine givesUpVersionsAside(StateMachine machine) {
        return new Altered(machine) {
            @Override
            public byte[] apply(KvTransaction rows, byte[] command) {
                Set<V> before = MetadataRows.heldAside(rows);
                byte[] reply = super.apply(rows, command);
                Set<V> aside = MetadataRows.heldAside(rows);
                aside.removeAll(before);
                aside.forEach(holder -> MetadataRows.takeUse(rows, holder));
                return reply;
            }
        };
    }

    static StateMachine forgetsNullVersions(StateMachine machine) {
        return new Altered(machine) {
            @Override
            public byte[] apply(KvTransaction rows, byte[] command) {
                byte[] reply = super.apply(rows, command);
                MetadataRows.forgetNullPlaces(rows);
                return reply;
            }
        };
    }

    /** The verdict goes to shards that the manifest has references from, and RESOLVE adds none. */
    static StateMachine confirmsToAnsweredOnly(StateMachine machine) {
        return new Altered(machine) {
            @Override
            byte[] alter(KvTransaction rows, byte[] bytes) {
                MetadataProto.Command.Builder command = MetadataRows.command(bytes).toBuilder();
                if (command.hasPutObject()) {
                    answeredOnly(command.getPutObjectBuilder().getContentBuilder());
                } else if (command.hasPutPart()) {
                    answeredOnly(command.getPutPartBuilder().getContentBuilder());
                } else {
                    return bytes;
                }
                return MetadataRows.bytes(bytes[0], command.build());
            }

            @Override
            public byte[] apply(KvTransaction rows, byte[] bytes) {
                MetadataProto.Command command = MetadataRows.command(bytes);
                if (command.hasResolve()
                        && MetadataRows.fate(rows, MetadataRows.v(command.getV()))
                                == Fate.COMMITTED) {
                    return MetadataRows.bytes(bytes[0], MetadataProto.Reply.getDefaultInstance());
                }
                return super.apply(rows, bytes);
            }
        };
    }

    private static void answeredOnly(MetadataProto.Content.Builder content) {
        if (content.hasHolder()) {
            List<MetadataProto.Claimed> answered =
                    content.getHolder().getClaimedList().stream()
                            .filter(one -> one.getSumHigh() != 0 || one.getSumLow() != 0)
                            .toList();
            content.getHolderBuilder().clearClaimed().addAllClaimed(answered);
        }
    }
}

import { StoragePatience } from "@parley/domain"
import { Stream } from "effect"

/** What is streamed takes as long as its reader takes: no question to the database counts on top of those before it. */
export const inItsTime = <A, E, R>(stream: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
  Stream.provideService(stream, StoragePatience, null)

import { Stream } from "effect"

/** Size of every chunk of a file except the last, in bytes. Stored files depend on it, so it never changes. */
export const chunkSize = 256 * 1024

interface Filling {
  readonly chunk: Uint8Array<ArrayBuffer>
  readonly filled: number
}

const empty = (): Filling => ({ chunk: new Uint8Array(chunkSize), filled: 0 })

const fill = (before: Filling, bytes: Uint8Array): readonly [Filling, ReadonlyArray<Uint8Array>] => {
  const full: Array<Uint8Array> = []
  let { chunk, filled } = before
  for (let at = 0; at < bytes.length;) {
    const some = bytes.subarray(at, at + chunkSize - filled)
    chunk.set(some, filled)
    at += some.length
    filled += some.length
    if (filled === chunkSize) {
      full.push(chunk)
      chunk = new Uint8Array(chunkSize)
      filled = 0
    }
  }
  return [{ chunk, filled }, full]
}

/** The same bytes in chunks of one size; the last can be shorter. */
export const inChunks = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.mapAccum(bytes, empty, fill, {
    onHalt: ({ chunk, filled }) => (filled === 0 ? [] : [chunk.subarray(0, filled)])
  })

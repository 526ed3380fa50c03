import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { FileId, Files, FileSweep } from "@parley/domain/platform"
import { Effect, Exit, Random, Stream } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside, present } from "../../given.ts"

/** The size of chunks that an adapter may well use; around its multiples is where offsets go wrong. */
const border = 256 * 1024

const bytesOf = (size: number, seed: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8) * 7 + seed) % 251)

const inPieces = (bytes: Uint8Array, size: number): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, number) =>
      bytes.subarray(number * size, (number + 1) * size)
    )
  )

/** Collects the stream into one array, because comparing a million elements one by one takes seconds. */
const collected = <E, R>(stream: Stream.Stream<Uint8Array, E, R>) =>
  Effect.map(Stream.runCollect(stream), (pieces) => {
    const all = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0))
    let at = 0
    for (const piece of pieces) {
      all.set(piece, at)
      at += piece.length
    }
    return all
  })

const assertSame = (actual: Uint8Array, expected: Uint8Array, what: string) => {
  assert.strictEqual(actual.length, expected.length, `${what}: its size`)
  const at = actual.findIndex((byte, index) => byte !== expected[index])
  assert.strictEqual(at, -1, `${what}: the first byte that differs`)
}

const given = Effect.gen(function* () {
  yield* present
  const files = yield* Files
  const organization = yield* givenOrganization()
  const sweep = (yield* FileSweep).sweep().pipe(inside(organization))
  const id = freshId(FileId)
  const read = (from = 0) => collected(files.read(id, from)).pipe(inside(organization))
  const write = <E>(bytes: Stream.Stream<Uint8Array, E>) => files.write(id, bytes).pipe(inside(organization))
  const remove = files.remove(id).pipe(inside(organization))
  const notFound = Effect.map(Effect.flip(read()), ({ resource }) => assert.strictEqual(resource, "file"))
  return { files, id, notFound, organization, read, remove, sweep, write }
})

export const files: StorageContract = {
  port: "Files",
  promises: (it) => {
    it.effect("gives back what was written, from any offset", () =>
      Effect.gen(function* () {
        const sizes = [0, 1, border - 1, border, border + 1, 2 * border, 3 * border + 12_345]
        for (const size of [...sizes, yield* Random.nextIntBetween(2, 3 * border)]) {
          const { read, write } = yield* given
          const bytes = bytesOf(size, size)
          const sizeOfPiece = yield* Random.nextIntBetween(1_000, 2 * border)
          const what = `${size} bytes in pieces of ${sizeOfPiece}`
          assert.deepStrictEqual({ ...(yield* write(inPieces(bytes, sizeOfPiece))) }, { size }, what)
          const offsets = [0, 1, border - 1, border, border + 1, 2 * border - 1, 2 * border, size - 1]
          for (const from of [...offsets, yield* Random.nextIntBetween(0, size + 1)]) {
            if (from < 0 || from > size) continue
            assertSame(yield* read(from), bytes.subarray(from), `${what}, from ${from}`)
          }
        }
      })
    )

    it.effect("has nothing at and behind the end", () =>
      Effect.gen(function* () {
        const { read, write } = yield* given
        yield* write(inPieces(bytesOf(border, 1), 70_000))
        for (const from of [border, border + 1, 9 * border]) assert.lengthOf(yield* read(from), 0, `from ${from}`)
      })
    )

    it.effect("takes pieces of any size, empty ones and single bytes too", () =>
      Effect.gen(function* () {
        const { read, write } = yield* given
        const bytes = bytesOf(300, 5)
        const nothing = new Uint8Array(0)
        const pieces = Stream.flatMap(inPieces(bytes, 1), (piece) => Stream.make(nothing, piece, nothing))
        assert.strictEqual((yield* write(pieces)).size, 300)
        assertSame(yield* read(), bytes, "300 bytes one by one")
      })
    )

    it.effect("keeps the content of a chunk despite later changes of the buffer", () =>
      Effect.gen(function* () {
        const { read, write } = yield* given
        const buffer = new Uint8Array(1_000)
        const pieces = Stream.range(1, 5).pipe(
          Stream.rechunk(1),
          Stream.map((number) => buffer.fill(number))
        )
        yield* write(pieces)
        const expected = Uint8Array.from({ length: 5_000 }, (_, at) => Math.floor(at / 1_000) + 1)
        assertSame(yield* read(), expected, "five times the same buffer")
      })
    )

    it.effect("can be read concurrently and partially", () =>
      Effect.gen(function* () {
        const { files, id, organization, read, write } = yield* given
        const bytes = bytesOf(2 * border + 7, 3)
        yield* write(inPieces(bytes, 100_000))
        const all = yield* Effect.replicateEffect(read(), 5, { concurrency: "unbounded" })
        for (const each of all) assertSame(each, bytes, "one of several")
        const [first] = yield* files.read(id, 0).pipe(Stream.take(1), Stream.runCollect, inside(organization))
        assert.isDefined(first)
        assertSame(first, bytes.subarray(0, first.length), "the first piece")
      })
    )

    it.effect("does not know a file that was never written", () => Effect.flatMap(given, ({ notFound }) => notFound))

    it.effect("has no file while it is written", () =>
      Effect.gen(function* () {
        const { notFound, read, write } = yield* given
        const bytes = bytesOf(2 * border, 9)
        const meanwhile = Stream.fromEffectDrain(Effect.orDie(notFound))
        yield* write(Stream.concat(inPieces(bytes, border), meanwhile))
        assertSame(yield* read(), bytes, "when it is written")
      })
    )

    it.effect("has no file when its source failed, and passes the failure on", () =>
      Effect.gen(function* () {
        const { notFound, write } = yield* given
        const broken = Stream.concat(inPieces(bytesOf(2 * border + 1, 2), 50_000), Stream.fail("cut off"))
        assert.strictEqual(yield* Effect.flip(write(broken)), "cut off")
        yield* notFound
      })
    )

    it.effect("has no file when its write was interrupted", () =>
      Effect.gen(function* () {
        const { notFound, write } = yield* given
        const stopped = Stream.concat(
          inPieces(bytesOf(border + 1, 2), 50_000),
          Stream.fromEffectDrain(Effect.interrupt)
        )
        assert.isTrue(Exit.hasInterrupts(yield* Effect.exit(write(stopped))))
        yield* notFound
      })
    )

    it.effect("writes no id a second time", () =>
      Effect.gen(function* () {
        const { read, write } = yield* given
        const bytes = bytesOf(100, 1)
        yield* write(inPieces(bytes, 100))
        assert.isTrue(Exit.hasDies(yield* Effect.exit(write(inPieces(bytesOf(50, 2), 50)))))
        assertSame(yield* read(), bytes, "the first")
      })
    )

    it.effect("keeps the files of other organizations apart, also under the same id", () =>
      Effect.gen(function* () {
        const { files, id, organization, read, write } = yield* given
        const other = yield* givenOrganization()
        const readOther = collected(files.read(id, 0)).pipe(inside(other))
        yield* write(inPieces(bytesOf(1_000, 1), 1_000))
        assert.strictEqual((yield* Effect.flip(readOther)).resource, "file")
        yield* transact(files.remove(id)).pipe(inside(other))
        yield* files.write(id, inPieces(bytesOf(2_000, 2), 700)).pipe(inside(other))
        assertSame(yield* read(), bytesOf(1_000, 1), "of the one")
        assertSame(yield* readOther, bytesOf(2_000, 2), "of the other")
        yield* transact(files.remove(id)).pipe(inside(organization))
        assertSame(yield* readOther, bytesOf(2_000, 2), "of the other still")
      })
    )

    it.effect("removes a file with the unit of work, and ignores a missing one", () =>
      Effect.gen(function* () {
        const { notFound, read, remove, sweep, write } = yield* given
        yield* transact(remove)
        const bytes = bytesOf(border + 1, 4)
        yield* write(inPieces(bytes, 90_000))
        yield* remove.pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        yield* sweep
        assertSame(yield* read(), bytes, "after a removal that was taken back")
        yield* transact(remove)
        yield* notFound
        yield* transact(remove)
        yield* sweep
        yield* notFound
      })
    )

    it.effect("sweeps out what was not complete after a day, and nothing else", () =>
      Effect.gen(function* () {
        const [old, whole] = [yield* given, yield* given]
        const broken = Stream.concat(inPieces(bytesOf(2 * border + 1, 2), 50_000), Stream.fail("cut off"))
        yield* Effect.flip(old.write(broken))
        yield* whole.write(inPieces(bytesOf(border, 6), 50_000))
        yield* TestClock.adjust("25 hours")
        const young = yield* given
        const duringSweep = Stream.fromEffectDrain(young.sweep)
        yield* young.write(Stream.concat(inPieces(bytesOf(border, 7), border), duringSweep))
        assert.strictEqual(yield* whole.sweep, 0)
        assert.strictEqual(yield* old.sweep, 1)
        assert.strictEqual(yield* old.sweep, 0)
        assertSame(yield* whole.read(), bytesOf(border, 6), "an old file that is complete")
        assertSame(yield* young.read(), bytesOf(border, 7), "a young file")
        yield* old.write(inPieces(bytesOf(10, 8), 10))
        assertSame(yield* old.read(), bytesOf(10, 8), "its id is free again")
      })
    )

    it.effect("does not complete a swept write", () =>
      Effect.gen(function* () {
        const { notFound, sweep, write } = yield* given
        const swept = Stream.fromEffectDrain(Effect.andThen(TestClock.adjust("25 hours"), sweep))
        const bytes = bytesOf(border, 3)
        const late = Stream.concat(Stream.concat(inPieces(bytes, border), swept), inPieces(bytes, border))
        assert.isTrue(Exit.hasDies(yield* Effect.exit(write(late))))
        yield* notFound
      })
    )
  }
}

/** Contract of `Files` with its `FileSweep`. */
export const filesContract = runContract(files)

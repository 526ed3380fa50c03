import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Writable } from "node:stream"
import { zstdCompressSync, zstdDecompressSync } from "node:zlib"
import { ArchiveUnusable, memberOf } from "../../src/backup/Archive.ts"
import { notWritten, writeArchive } from "../../src/backup/archiveFile.ts"
import { checkArchive } from "../../src/backup/readArchive.ts"

const rows = ["1\tAnn\n", "2\tBob \\n and more\n", `3\t${"x".repeat(300_000)}\n`]

const header = {
  format: 1,
  release: "0.1.0",
  at: "2026-03-01T02:00:00.000Z",
  migrations: [{ id: 1, name: "platform" }],
  keys: [{ id: "k1", check: null }],
  tables: [
    { name: "people", columns: ["id", "name"] },
    { name: "empty", columns: ["id"] }
  ]
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "parley-archive-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const written = (file: string, given: unknown = header, toStream?: () => Writable) =>
  writeArchive(
    file,
    ({ withSpool, writer }) =>
      Effect.gen(function* () {
        const write = (run: () => Promise<void>) => Effect.tryPromise({ try: run, catch: notWritten(file) })
        yield* write(() => writer.addJson("header.json", given))
        for (const [index, name] of ["people", "empty"].entries()) {
          yield* withSpool((spool) =>
            write(async () => {
              if (name === "people") for (const row of rows) await spool.append(Buffer.from(row))
              await writer.add(memberOf(index, name), spool.bytes, spool.rows, spool.read())
            })
          )
        }
        yield* write(() => writer.addJson("sequences.json", [{ name: "positions", value: "7" }]))
      }),
    ...(toStream === undefined ? [] : [toStream])
  )

/** The problem of an archive with these bytes. */
const problemOf = Effect.fnUntraced(function* (bytes: Buffer) {
  const file = join(yield* folder, "changed.parley")
  writeFileSync(file, bytes)
  const error = yield* Effect.flip(checkArchive(file))
  assert.isTrue(Schema.is(ArchiveUnusable)(error))
  return error.problem
})

const archive = Effect.gen(function* () {
  const file = join(yield* folder, "people.parley")
  yield* written(file)
  return readFileSync(file)
})

describe("an archive", () => {
  it.effect("is a compressed tar file whose manifest lists rows, bytes and hashes", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "people.parley")
      yield* written(file)
      const { header: read, members } = yield* checkArchive(file)
      assert.deepStrictEqual(read, header)
      assert.deepStrictEqual(
        members.map(({ name, rows }) => [name, rows]),
        [
          ["header.json", null],
          ["tables/001-people.copy", 3],
          ["tables/002-empty.copy", 0],
          ["sequences.json", null]
        ]
      )
      const tar = zstdDecompressSync(readFileSync(file))
      assert.strictEqual(tar.length % 512, 0)
      assert.strictEqual(tar.toString("latin1", 257, 262), "ustar")
    })
  )

  it.effect("has equal bytes for equal contents, and leaves no temporary file", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* written(join(path, "one.parley"))
      yield* written(join(path, "two.parley"))
      assert.deepStrictEqual(readFileSync(join(path, "one.parley")), readFileSync(join(path, "two.parley")))
      assert.deepStrictEqual(readdirSync(path).toSorted(), ["one.parley", "two.parley"])
    })
  )

  it.effect("is refused after a change of any member", () =>
    Effect.gen(function* () {
      const tar = zstdDecompressSync(yield* archive)
      for (const place of ["Ann", '"positions"', '"platform"', '"sha256"']) {
        const changed = Buffer.from(tar)
        const at = changed.indexOf(place) + 2
        changed[at] = (changed[at] ?? 0) ^ 1
        assert.match(yield* problemOf(zstdCompressSync(changed)), /damaged/, place)
      }
    })
  )

  it.effect("is refused after a change of one compressed byte, and after each truncation", () =>
    Effect.gen(function* () {
      const bytes = yield* archive
      for (let at = 20; at < bytes.length; at += 97) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ 1
        assert.isNotEmpty(yield* problemOf(changed))
        assert.isNotEmpty(yield* problemOf(bytes.subarray(0, at)))
      }
    })
  )

  it.effect("is refused without its manifest, and as a file of another kind", () =>
    Effect.gen(function* () {
      const tar = zstdDecompressSync(yield* archive)
      const withoutManifest = Buffer.concat([tar.subarray(0, tar.indexOf("manifest.json\0")), Buffer.alloc(1_024)])
      assert.strictEqual(
        yield* problemOf(zstdCompressSync(withoutManifest)),
        "it has no manifest, so it is not a complete backup."
      )
      assert.match(yield* problemOf(Buffer.from("plain text")), /not a backup/)
      assert.match(yield* problemOf(zstdCompressSync(Buffer.alloc(0))), /incomplete/)
    })
  )

  it.effect("of a newer format is refused with the release that wrote it", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "newer.parley")
      yield* written(file, { format: 2, release: "3.1.0", layout: "other" })
      const { problem } = yield* Effect.flip(checkArchive(file))
      assert.strictEqual(
        problem,
        "it has format 2 of release 3.1.0, and this version reads format 1. Use release 3.1.0 or a newer one."
      )
    })
  )

  it.effect("is not written over another file, nor in parts after a disk error", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "people.parley")
      const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error("ENOSPC: no space left")) })
      const error = yield* Effect.flip(written(file, header, () => full))
      assert.strictEqual(
        error.message,
        `The backup ${file} was not written: ENOSPC: no space left. No file has this name.`
      )
      assert.deepStrictEqual(readdirSync(path), [])
      writeFileSync(file, "mine")
      assert.match((yield* Effect.flip(written(file))).message, /a file with this name exists/)
      assert.strictEqual(readFileSync(file, "utf8"), "mine")
    })
  )

  it.effect("is not written over a file that another backup completes first", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "people.parley")
      const overtaken = writeArchive(file, ({ writer }) =>
        Effect.andThen(
          written(file),
          Effect.promise(() => writer.addJson("header.json", header))
        )
      )
      assert.match((yield* Effect.flip(overtaken)).message, /a file with this name exists/)
      assert.strictEqual((yield* checkArchive(file)).members.length, 4)
      assert.deepStrictEqual(readdirSync(path), ["people.parley"])
    })
  )

  it.effect("removes the temporary files of killed backups, and no others", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const id = "0b8f2a52-7a5e-4a4c-9d6c-2f4b1d0e9a11"
      const names = [`one.parley.partial-${id}`, `one.parley.partial-${id}.rows`, "mine.partial", `new.partial-${id}`]
      for (const name of names) {
        writeFileSync(join(path, name), "rows")
        const seconds = name.startsWith("new") ? 172_000 : 1
        utimesSync(join(path, name), seconds, seconds)
      }
      yield* TestClock.setTime(172_800_000)
      yield* written(join(path, "people.parley"))
      assert.deepStrictEqual(readdirSync(path).toSorted(), ["mine.partial", `new.partial-${id}`, "people.parley"])
    })
  )
})

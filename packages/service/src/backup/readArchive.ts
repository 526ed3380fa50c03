import { Effect, Schema } from "effect"
import {
  archiveFormat,
  ArchiveHeader,
  ArchiveManifest,
  type ArchiveMember,
  ArchiveSequences,
  ArchiveUnusable,
  headerName,
  manifestName,
  memberOf,
  sequencesName
} from "./Archive.ts"
import { ArchiveReader, Damaged } from "./ArchiveReader.ts"
import type { TarHeader } from "./tar.ts"

const codeOf = (cause: unknown) =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

const problemOf = (cause: unknown): string => {
  if (cause instanceof Damaged) return `${cause.message}; it is incomplete or damaged.`
  if (codeOf(cause) === "ENOENT") return "the file does not exist."
  if (codeOf(cause).startsWith("ZSTD") || codeOf(cause) === "ERR_STREAM_PREMATURE_CLOSE") {
    return "it does not decompress; it is incomplete, damaged, or not a backup."
  }
  return cause instanceof Error ? `${cause.message}.` : String(cause)
}

/** Converts a failure of the file to a refusal. */
export const unusableFile = (file: string) => (cause: unknown) =>
  new ArchiveUnusable({ file, problem: problemOf(cause) })

const Versioned = Schema.Struct({ format: Schema.Int, release: Schema.String })

const sameMembers = (read: ReadonlyArray<ArchiveMember>, listed: ReadonlyArray<ArchiveMember>) => {
  if (read.length !== listed.length) return "its members are not those of its manifest"
  for (const [index, member] of read.entries()) {
    const expected = listed[index]
    const isEqual =
      expected !== undefined &&
      expected.name === member.name &&
      expected.bytes === member.bytes &&
      expected.rows === member.rows &&
      expected.sha256 === member.sha256
    if (!isEqual) return `${member.name} differs from the manifest`
  }
  return null
}

/** An open archive. Its parts are read in order: each table, the sequences, the end. */
export interface ReadableArchive {
  readonly header: ArchiveHeader
  /** Rows of the next table. They are complete only after the iteration. */
  readonly table: (index: number) => Effect.Effect<AsyncGenerator<Uint8Array>, ArchiveUnusable>
  readonly sequences: Effect.Effect<typeof ArchiveSequences.Type, ArchiveUnusable>
  /** Compares all that was read with the manifest. */
  readonly end: Effect.Effect<ReadonlyArray<ArchiveMember>, ArchiveUnusable>
}

/** Opens an archive until the scope ends, and reads its header. */
export const openArchive = Effect.fnUntraced(function* (file: string) {
  const attempt = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: unusableFile(file) })
  const refuse = (problem: string) => new ArchiveUnusable({ file, problem })
  const reader = yield* Effect.acquireRelease(
    Effect.sync(() => new ArchiveReader(file)),
    (reader) => Effect.sync(() => reader.close())
  )
  const expect = Effect.fnUntraced(function* (name: string) {
    const header = yield* attempt(() => reader.next())
    if (header === null) return yield* refuse("it has no manifest, so it is not a complete backup.")
    if (header.name !== name) return yield* refuse(`it contains ${header.name} in place of ${name}.`)
    return header
  })
  const json = Effect.fnUntraced(function* <S extends Schema.Codec<unknown, unknown>>(header: TarHeader, schema: S) {
    const text = yield* attempt(() => reader.text(header))
    return yield* Effect.mapError(Schema.decodeEffect(Schema.fromJsonString(schema))(text), () =>
      refuse(`${header.name} is damaged.`)
    )
  })
  const first = yield* expect(headerName)
  const text = yield* attempt(() => reader.text(first))
  const decode = <S extends Schema.Codec<unknown, unknown>>(schema: S) =>
    Effect.mapError(Schema.decodeEffect(Schema.fromJsonString(schema))(text), () => refuse(`${headerName} is damaged.`))
  const { format, release } = yield* decode(Versioned)
  if (format > archiveFormat) {
    return yield* refuse(
      `it has format ${format} of release ${release}, and this version reads format ${archiveFormat}. Use release ${release} or a newer one.`
    )
  }
  const header = yield* decode(ArchiveHeader)
  return {
    header,
    table: (index) => {
      const table = header.tables[index]
      return table === undefined
        ? Effect.fail(refuse("it has fewer tables than expected."))
        : Effect.map(expect(memberOf(index, table.name)), (member) => reader.body(member))
    },
    sequences: Effect.flatMap(expect(sequencesName), (member) => json(member, ArchiveSequences)),
    end: Effect.gen(function* () {
      const read = [...reader.members]
      const { members } = yield* json(yield* expect(manifestName), ArchiveManifest)
      const difference = sameMembers(read, members)
      if (difference !== null) return yield* refuse(`${difference}; it is damaged.`)
      return members
    })
  } satisfies ReadableArchive
})

/** Reads the whole archive and compares it with its manifest. */
export const checkArchive = Effect.fnUntraced(function* (file: string) {
  const archive = yield* openArchive(file)
  for (const index of archive.header.tables.keys()) {
    const rows = yield* archive.table(index)
    yield* Effect.tryPromise({
      try: async () => {
        for await (const _ of rows) continue
      },
      catch: unusableFile(file)
    })
  }
  yield* archive.sequences
  return { header: archive.header, members: yield* archive.end }
}, Effect.scoped)

import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { type FileHandle, link, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Writable } from "node:stream"
import { ArchiveNotWritten } from "./Archive.ts"
import { ArchiveWriter } from "./ArchiveWriter.ts"

const messageOf = (cause: unknown): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return inner instanceof Error ? inner.message : String(inner)
}

/** Converts a failure of the file system. */
export const notWritten = (file: string) => (cause: unknown) =>
  new ArchiveNotWritten({ file, problem: messageOf(cause) })

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false
  )

const taken = "a file with this name exists; specify another name"

/** Gives a complete file its name. Two backups can end with one name at the same time, so a link must not replace a file. */
const giveName = async (partial: string, file: string) => {
  const isLinked = await link(partial, file).then(
    () => true,
    () => false
  )
  if (isLinked) return
  if (await exists(file)) throw new Error(taken)
  // A file system without links renames.
  await rename(partial, file)
}

/** A temporary file without a change for this long belongs to no running backup. */
const abandonedAfterMillis = 24 * 3_600_000

const temporaryName = /\.partial-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:\.rows)?$/u

/** Removes temporary files of killed backups. */
const removeAbandoned = (folder: string) =>
  Effect.gen(function* () {
    const before = (yield* Clock.currentTimeMillis) - abandonedAfterMillis
    yield* Effect.promise(async () => {
      const names = await readdir(folder).catch(() => [])
      for (const path of names.filter((name) => temporaryName.test(name)).map((name) => join(folder, name))) {
        const found = await stat(path).catch(() => null)
        if (found !== null && found.mtimeMs < before) await rm(path, { force: true }).catch(() => {})
      }
    })
  })

/** The file of a backup: the specified file, or a new file in the specified folder. */
export const archivePath = (target: string, at: string) =>
  Effect.promise(async () => {
    const found = await stat(target).catch(() => null)
    const stamp = at.replaceAll(/[-:]|\.\d+/gu, "")
    return found?.isDirectory() === true ? join(target, `parley-${stamp}.parley`) : target
  })

/** A table on its way into the archive. The size of a member comes before its bytes, so the rows wait in a file. */
export class Spool {
  rows = 0
  bytes = 0
  private readonly handle: FileHandle

  constructor(handle: FileHandle) {
    this.handle = handle
  }

  readonly append = async (rows: Uint8Array): Promise<void> => {
    for (const byte of rows) if (byte === 0x0a) this.rows += 1
    await this.handle.writeFile(rows)
    this.bytes += rows.length
  }

  async *read(): AsyncGenerator<Uint8Array> {
    const buffer = Buffer.alloc(1 << 18)
    for (let at = 0; at < this.bytes;) {
      const { bytesRead } = await this.handle.read(buffer, 0, Math.min(buffer.length, this.bytes - at), at)
      if (bytesRead === 0) throw new Error("The temporary file is shorter than expected")
      at += bytesRead
      yield Uint8Array.from(buffer.subarray(0, bytesRead))
    }
  }
}

/** The open files of a backup. */
export interface OpenArchive {
  readonly writer: ArchiveWriter
  /** Runs with an empty temporary file. */
  readonly withSpool: <A, E, R>(
    use: (spool: Spool) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | ArchiveNotWritten, R>
}

const sync = async (path: string) => {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const create = (path: string) => open(path, "wx+", 0o600)

/** Creates a file that has no name afterwards, so a killed process leaves no rows. Systems that keep the name of an open file remove it later. */
const createUnnamed = async (path: string) => {
  const handle = await create(path)
  await rm(path, { force: true }).catch(() => {})
  return handle
}

/** Closes a file. A stream can have closed it already. */
const closeHandle = (handle: FileHandle) => Effect.promise(() => handle.close().catch(() => {}))

const streamOf = (handle: FileHandle): Writable => handle.createWriteStream({ flush: true })

/**
 * Writes a file completely, or not at all: under a temporary name, flushed to the disk, and then under its own. A failure leaves nothing.
 */
export const writeArchive = <A, E, R>(
  file: string,
  use: (archive: OpenArchive) => Effect.Effect<A, E, R>,
  toStream: (handle: FileHandle) => Writable = streamOf
): Effect.Effect<A, E | ArchiveNotWritten, R> => {
  const partial = `${file}.partial-${randomUUID()}`
  const attempt = <T>(run: () => Promise<T>) => Effect.tryPromise({ try: run, catch: notWritten(file) })
  const withSpool: OpenArchive["withSpool"] = (body) =>
    Effect.acquireUseRelease(
      attempt(() => createUnnamed(`${partial}.rows`)),
      (handle) => body(new Spool(handle)),
      closeHandle
    )
  const remove = Effect.promise(async () => {
    await rm(`${partial}.rows`, { force: true }).catch(() => {})
    await rm(partial, { force: true }).catch(() => {})
  })
  return Effect.gen(function* () {
    if (yield* Effect.promise(() => exists(file))) {
      return yield* new ArchiveNotWritten({ file, problem: taken })
    }
    yield* removeAbandoned(dirname(file))
    const result = yield* Effect.acquireUseRelease(
      attempt(() => create(partial)),
      (handle) => {
        const writer = new ArchiveWriter(toStream(handle))
        return Effect.andThen(use({ writer, withSpool }), (result) =>
          Effect.as(
            attempt(() => writer.finish()),
            result
          )
        ).pipe(Effect.onError(() => Effect.sync(() => writer.abort())))
      },
      closeHandle
    )
    yield* attempt(async () => {
      await giveName(partial, file)
      await sync(dirname(file))
    })
    return result
  }).pipe(Effect.ensuring(remove))
}

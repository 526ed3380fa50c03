import { Effect } from "effect"
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises"
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

const create = async (path: string) => {
  await rm(path, { force: true })
  return open(path, "wx+", 0o600)
}

const streamOf = (handle: FileHandle): Writable => handle.createWriteStream({ flush: true })

/**
 * Writes a file completely, or not at all: under a temporary name, flushed to the disk, and then renamed. A failure leaves nothing.
 */
export const writeArchive = <A, E, R>(
  file: string,
  use: (archive: OpenArchive) => Effect.Effect<A, E, R>,
  toStream: (handle: FileHandle) => Writable = streamOf
): Effect.Effect<A, E | ArchiveNotWritten, R> => {
  const partial = `${file}.partial`
  const attempt = <T>(run: () => Promise<T>) => Effect.tryPromise({ try: run, catch: notWritten(file) })
  const withSpool: OpenArchive["withSpool"] = (body) =>
    Effect.acquireUseRelease(
      attempt(() => create(`${partial}.rows`)),
      (handle) => body(new Spool(handle)),
      (handle) => Effect.promise(() => handle.close().catch(() => {}))
    )
  const remove = Effect.promise(async () => {
    await rm(`${partial}.rows`, { force: true }).catch(() => {})
    await rm(partial, { force: true }).catch(() => {})
  })
  return Effect.gen(function* () {
    if (yield* Effect.promise(() => exists(file))) {
      return yield* new ArchiveNotWritten({ file, problem: "a file with this name exists; specify another name" })
    }
    const handle = yield* attempt(() => create(partial))
    const writer = new ArchiveWriter(toStream(handle))
    const result = yield* Effect.onError(use({ writer, withSpool }), () => Effect.sync(() => writer.abort()))
    yield* attempt(() => writer.finish())
    yield* attempt(async () => {
      await rename(partial, file)
      await sync(dirname(file))
    })
    return result
  }).pipe(Effect.ensuring(remove))
}

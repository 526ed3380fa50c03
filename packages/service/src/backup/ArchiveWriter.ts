import { createHash } from "node:crypto"
import { once } from "node:events"
import type { Writable } from "node:stream"
import { createZstdCompress } from "node:zlib"
import { archiveFormat, type ArchiveMember, manifestName } from "./Archive.ts"
import { blockBytes, paddingOf, tarHeader } from "./tar.ts"

/** Writes the members of an archive, compressed, into a stream. */
export class ArchiveWriter {
  readonly members: Array<ArchiveMember> = []
  private readonly compressed = createZstdCompress()
  private readonly finished: Promise<void>
  private failure: { readonly cause: unknown } | null = null

  constructor(target: Writable) {
    this.finished = new Promise((resolve, reject) => {
      const fail = (cause: unknown) => {
        this.failure ??= { cause }
        this.compressed.destroy()
        reject(cause)
      }
      target.once("close", resolve)
      target.once("error", fail)
      this.compressed.once("error", fail)
    })
    // The next write reports the failure.
    this.finished.catch(() => {})
    this.compressed.pipe(target)
  }

  private async write(bytes: Uint8Array): Promise<void> {
    if (this.failure !== null) throw this.failure.cause
    if (this.compressed.write(bytes)) return
    await Promise.race([once(this.compressed, "drain"), this.finished])
  }

  /** Adds a member of a known size. */
  async add(name: string, size: number, rows: number | null, body: AsyncIterable<Uint8Array>): Promise<void> {
    const hash = createHash("sha256")
    let bytes = 0
    await this.write(tarHeader({ name, size }))
    for await (const chunk of body) {
      hash.update(chunk)
      bytes += chunk.length
      await this.write(chunk)
    }
    if (bytes !== size) throw new Error(`${name} has ${bytes} bytes and not ${size}`)
    await this.write(Buffer.alloc(paddingOf(size)))
    this.members.push({ name, bytes, rows, sha256: hash.digest("hex") })
  }

  async addJson(name: string, value: unknown): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
    async function* whole() {
      yield await Promise.resolve(bytes)
    }
    await this.add(name, bytes.length, null, whole())
  }

  /** Adds the manifest and ends the archive. */
  async finish(): Promise<void> {
    await this.addJson(manifestName, { format: archiveFormat, members: [...this.members] })
    await this.write(Buffer.alloc(2 * blockBytes))
    this.compressed.end()
    await this.finished
  }

  /** Ends without a manifest. */
  abort(): void {
    this.compressed.destroy()
  }
}

import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream"
import { createZstdDecompress } from "node:zlib"
import type { ArchiveMember } from "./Archive.ts"
import { blockBytes, paddingOf, readTarHeader, type TarHeader } from "./tar.ts"

/** The bytes are not those of an archive. */
export class Damaged extends Error {}

/** Reads the members of an archive one after the other, with a bounded buffer. */
export class ArchiveReader {
  /** Members that were read completely. */
  readonly members: Array<ArchiveMember> = []
  private readonly chunks: AsyncIterator<Buffer>
  private readonly stream: NodeJS.ReadableStream
  private buffer: Buffer = Buffer.alloc(0)

  constructor(file: string) {
    const decompressed = createZstdDecompress()
    // The iterator reports the error.
    pipeline(createReadStream(file), decompressed, () => {})
    this.stream = decompressed
    this.chunks = decompressed[Symbol.asyncIterator]()
  }

  close(): void {
    if ("destroy" in this.stream && typeof this.stream.destroy === "function") this.stream.destroy()
  }

  private async fill(): Promise<void> {
    const next = await this.chunks.next()
    if (next.done === true) throw new Damaged("it ends too early")
    this.buffer = this.buffer.length === 0 ? next.value : Buffer.concat([this.buffer, next.value])
  }

  private async read(bytes: number): Promise<Buffer> {
    while (this.buffer.length < bytes) await this.fill()
    const taken = this.buffer.subarray(0, bytes)
    this.buffer = this.buffer.subarray(bytes)
    return taken
  }

  /** The start of the next member; `null` at the end. The body of the previous one must be read. */
  async next(): Promise<TarHeader | null> {
    const header = readTarHeader(await this.read(blockBytes))
    if (header === undefined) throw new Damaged("a member has no valid header")
    return header
  }

  /** The body of a member. */
  async *body({ name, size }: TarHeader): AsyncGenerator<Uint8Array> {
    const hash = createHash("sha256")
    let rows = 0
    for (let left = size; left > 0;) {
      if (this.buffer.length === 0) await this.fill()
      const chunk = await this.read(Math.min(left, this.buffer.length))
      left -= chunk.length
      hash.update(chunk)
      for (const byte of chunk) if (byte === 0x0a) rows += 1
      yield chunk
    }
    await this.read(paddingOf(size))
    const isTable = name.startsWith("tables/")
    this.members.push({ name, bytes: size, rows: isTable ? rows : null, sha256: hash.digest("hex") })
  }

  /** The whole body of a small member. */
  async text(header: TarHeader): Promise<string> {
    if (header.size > 1 << 26) throw new Damaged(`${header.name} is too large`)
    const parts: Array<Uint8Array> = []
    for await (const part of this.body(header)) parts.push(part)
    return Buffer.concat(parts).toString("utf8")
  }
}

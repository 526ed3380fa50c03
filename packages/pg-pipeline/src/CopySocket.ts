import type { Socket } from "node:net"
import { isIP } from "node:net"
import { Duplex } from "node:stream"
import { connect as connectTls } from "node:tls"
import { PgProtocol } from "@effect/sql-pg"

/** Encryption of a connection. `optional` continues without it if the server has none. */
export interface Encryption {
  readonly host: string
  readonly mode: "off" | "optional" | "required"
}

/** Reads `sslmode` as the driver does: certificates are checked in each mode with encryption. */
export const encryptionOf = (url: string): Encryption => {
  const { hostname, searchParams } = new URL(url)
  const host = decodeURIComponent(searchParams.get("host") ?? hostname).replaceAll(/^\[|\]$/gu, "")
  const mode = searchParams.get("sslmode") ?? "disable"
  const isOptional = mode === "prefer" || mode === "allow"
  return { host, mode: mode === "disable" || host.startsWith("/") ? "off" : isOptional ? "optional" : "required" }
}

/** Takes the rows that the server sends. The socket pauses until the promise ends. A failure ends the session. */
export type CopySink = (rows: Uint8Array) => Promise<void>

/** The rows that the server receives. */
export type CopySource = AsyncIterable<Uint8Array>

const type = { copyData: 0x64, copyDone: 0x63, copyIn: 0x47, copyOut: 0x48, error: 0x45 }

const headBytes = 5

const frame = (kind: number, body: Uint8Array): Uint8Array => {
  const bytes = Buffer.allocUnsafe(headBytes + body.length)
  bytes[0] = kind
  bytes.writeUInt32BE(4 + body.length, 1)
  bytes.set(body, headBytes)
  return bytes
}

const copyDone = frame(0x63, new Uint8Array())
const copyFail = frame(0x66, Buffer.from("The rows could not be read\0"))

/**
 * A connection for a driver without COPY. It diverts the messages of COPY, so the driver sees a statement without rows. It encrypts the connection
 * itself, because it reads the messages.
 */
export class CopySocket extends Duplex {
  private readonly raw: Socket
  private stream: Duplex
  private received: Buffer = Buffer.alloc(0)
  private early: Array<Uint8Array> | null = []
  private sink: CopySink | null = null
  private source: CopySource | null = null
  private isFeeding = false
  private deliveries: Promise<void> = Promise.resolve()
  /** Failure of the sink or of the source. The driver reports only the failure of the statement. */
  private failure: { readonly cause: unknown } | null = null

  constructor(raw: Socket, encryption: Encryption) {
    super()
    this.raw = raw
    this.stream = raw
    raw.once("close", () => this.destroy())
    raw.once("connect", () => {
      if (encryption.mode === "off") return this.open(raw)
      raw.write(PgProtocol.encodeSslRequest())
      raw.once("data", (answer: Buffer) => this.negotiate(answer, encryption))
    })
  }

  /** Runs one COPY with this sink or source. Returns the failure of it. */
  divert(parts: { readonly sink?: CopySink; readonly source?: CopySource }): void {
    this.sink = parts.sink ?? null
    this.source = parts.source ?? null
    this.failure = null
  }

  takeFailure(): { readonly cause: unknown } | null {
    const { failure } = this
    this.failure = null
    return failure
  }

  override _read(): void {
    this.stream.resume()
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.early === null) return void this.stream.write(chunk, done)
    this.early.push(Uint8Array.from(chunk))
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.raw.destroy()
    done(error)
  }

  private negotiate(answer: Buffer, { host, mode }: Encryption): void {
    if (answer.length === 1 && answer[0] === 0x53) {
      const encrypted = connectTls({ host, ...(isIP(host) === 0 ? { servername: host } : {}), socket: this.raw })
      encrypted.once("secureConnect", () => this.open(encrypted))
      return void encrypted.once("error", (error) => this.destroy(error))
    }
    if (mode === "optional" && answer.length === 1 && answer[0] === 0x4e) return this.open(this.raw)
    this.destroy(new Error("The server does not support TLS"))
  }

  private open(stream: Duplex): void {
    this.stream = stream
    stream.on("data", (chunk: Buffer) => this.receive(chunk))
    const { early } = this
    this.early = null
    for (const chunk of early ?? []) stream.write(chunk)
  }

  private receive(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk])
    const rows: Array<Buffer> = []
    let at = 0
    while (this.received.length - at >= headBytes) {
      const end = at + 1 + this.received.readUInt32BE(at + 1)
      if (end > this.received.length) break
      this.handle(this.received.subarray(at, end), rows)
      at = end
    }
    this.received = this.received.subarray(at)
    this.deliver(rows)
  }

  private handle(message: Buffer, rows: Array<Buffer>): void {
    switch (message[0]) {
      case type.copyOut:
      case type.copyDone:
        return
      case type.copyData:
        rows.push(message.subarray(headBytes))
        return
      case type.copyIn:
        this.isFeeding = true
        void this.feed()
        return
      case type.error:
        this.isFeeding = false
    }
    // The driver can continue synchronously, and then waits until the sink has all rows.
    this.deliver(rows.splice(0))
    this.push(message)
  }

  /** Ends after the sink has all rows. */
  get settled(): Promise<void> {
    return this.deliveries
  }

  private deliver(rows: ReadonlyArray<Buffer>): void {
    const { sink } = this
    if (rows.length === 0 || sink === null || this.failure !== null) return
    this.stream.pause()
    const bytes = Buffer.concat(rows)
    this.deliveries = this.deliveries
      .then(() => (this.failure === null ? sink(bytes) : undefined))
      .catch((cause: unknown) => {
        this.failure ??= { cause }
        // The statement would send the other rows of the table.
        this.destroy()
      })
      .then(() => void this.stream.resume())
  }

  /** Ends when the socket takes more, or is closed. */
  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.stream.off("drain", end)
        this.raw.off("close", end)
        resolve()
      }
      this.stream.once("drain", end)
      this.raw.once("close", end)
    })
  }

  /** Sends the rows. The server ignored the Sync of the driver during COPY, so the end needs another one. */
  private async feed(): Promise<void> {
    try {
      for await (const rows of this.source ?? []) {
        if (!this.isFeeding) break
        if (!this.stream.write(frame(type.copyData, rows))) await this.drained()
        if (this.destroyed) return
      }
      if (this.isFeeding) this.stream.write(copyDone)
    } catch (cause) {
      this.failure ??= { cause }
      this.stream.write(copyFail)
    }
    this.stream.write(PgProtocol.encodeSync())
  }
}

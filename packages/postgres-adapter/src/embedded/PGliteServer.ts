import type { PGlite } from "@electric-sql/pglite"
import { Duplex } from "node:stream"

const sslRequest = 80_877_103
const gssRequest = 80_877_104
const cancelRequest = 80_877_102
const terminate = "X".charCodeAt(0)

const simpleQuery = (text: string) => {
  const body = Buffer.from(`${text}\0`)
  const message = Buffer.alloc(5 + body.length)
  message.write("Q", 0)
  message.writeInt32BE(4 + body.length, 1)
  body.copy(message, 5)
  return message
}

const forgetSession = [simpleQuery("ROLLBACK"), simpleQuery("DISCARD ALL")]

/**
 * Lends the one session of a PGlite to sockets that speak the wire protocol of PostgreSQL, to one after the other: the
 * next socket begins, with a session that has forgotten the last one, when the last one has ended.
 */
export class PGliteServer {
  private readonly db: PGlite
  private lastTurn: Promise<void> = Promise.resolve()
  private isFresh = true

  constructor(db: PGlite) {
    this.db = db
  }

  /** A new socket, as a network connection would give one. */
  connect(): Duplex {
    return new PGliteSocket(this)
  }

  /** Waits for the turn of a socket; the function that it gives ends the turn. */
  async takeTurn(): Promise<() => void> {
    const previous = this.lastTurn
    const turn = Promise.withResolvers<void>()
    this.lastTurn = turn.promise
    await previous
    if (!this.isFresh) for (const message of forgetSession) await this.execute(message)
    this.isFresh = false
    return turn.resolve
  }

  /** Runs whole messages, as many as there are, and gives what PostgreSQL answers. */
  async execute(messages: Uint8Array): Promise<Buffer> {
    const answer: Array<Buffer> = []
    // The plain `execProtocolRaw` keeps every message it ever parsed. Files need no sync: the file system is the host's.
    await this.db.execProtocolRawStream(messages, {
      syncToFs: false,
      onRawData: (bytes) => answer.push(Buffer.from(bytes))
    })
    return Buffer.concat(answer)
  }
}

class PGliteSocket extends Duplex {
  private readonly server: PGliteServer
  private pending: Buffer = Buffer.alloc(0)
  private endTurn: (() => void) | null = null
  private hasFinished = false

  constructor(server: PGliteServer) {
    super()
    this.server = server
  }

  override _read() {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void) {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk])
    this.advance().then(() => done(), done)
  }

  override _final(done: () => void) {
    this.finish()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.finish()
    done(error)
  }

  private async advance() {
    if (this.hasFinished || (this.endTurn === null && !(await this.start()))) return
    const { hasEnded, length } = this.wholeMessages()
    if (length > 0) {
      const messages = this.takePending(length)
      this.push(await this.server.execute(messages))
    }
    if (hasEnded) this.finish()
  }

  /** Handles what comes before the first message that has a type. Says whether the session has begun. */
  private async start(): Promise<boolean> {
    while (this.pending.length >= 8 && this.pending.length >= this.pending.readInt32BE(0)) {
      const packet = this.takePending(this.pending.readInt32BE(0))
      const code = packet.readInt32BE(4)
      if (code === sslRequest || code === gssRequest) {
        this.push("N")
      } else if (code === cancelRequest) {
        // A statement runs to its end before this is read, so there is never one to cancel.
        this.finish()
        return false
      } else {
        const endTurn = await this.server.takeTurn()
        if (this.hasFinished) {
          endTurn()
          return false
        }
        this.endTurn = endTurn
        this.push(await this.server.execute(packet))
        return true
      }
    }
    return false
  }

  private takePending(length: number) {
    const taken = this.pending.subarray(0, length)
    this.pending = this.pending.subarray(length)
    return taken
  }

  private wholeMessages() {
    let length = 0
    while (this.pending.length >= length + 5) {
      if (this.pending[length] === terminate) return { length, hasEnded: true }
      const next = length + 1 + this.pending.readInt32BE(length + 1)
      if (this.pending.length < next) break
      length = next
    }
    return { length, hasEnded: false }
  }

  private finish() {
    if (this.hasFinished) return
    this.hasFinished = true
    this.endTurn?.()
    this.push(null)
  }
}

import * as Net from "node:net"

/** The received answer: the status, or `null` for a broken connection. */
export type Answered = (status: number | null) => void

const head = /^HTTP\/1\.[01] (\d{3})/
const length = /\r\ncontent-length: *(\d+)/i

/** A keep-alive connection with one request at a time. It supports only the parts of HTTP that a load generator needs. */
export class HttpConnection {
  private readonly socket: Net.Socket
  private received = ""
  private waiting: Answered | null = null

  constructor(url: URL) {
    this.socket = Net.connect({ host: url.hostname, port: Number(url.port), noDelay: true })
    this.socket.setEncoding("latin1")
    this.socket.on("data", (text: string) => this.read(text))
    this.socket.on("error", () => this.answer(null))
    this.socket.on("close", () => this.answer(null))
  }

  get isUsable(): boolean {
    return !this.socket.destroyed
  }

  send(request: string, answered: Answered): void {
    this.waiting = answered
    this.socket.write(request, "latin1")
  }

  close(): void {
    this.socket.destroy()
  }

  private read(text: string): void {
    this.received += text
    const end = this.received.indexOf("\r\n\r\n")
    if (end === -1) return
    const bytes = Number(length.exec(this.received)?.[1] ?? 0)
    if (this.received.length < end + 4 + bytes) return
    const status = Number(head.exec(this.received)?.[1] ?? 0)
    this.received = ""
    this.answer(status)
  }

  private answer(status: number | null): void {
    const { waiting } = this
    this.waiting = null
    waiting?.(status)
  }
}

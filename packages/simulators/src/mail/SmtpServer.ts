import { Effect, type Scope } from "effect"
import { createServer, type Socket } from "node:net"
import { headersOf, partOf, wordsOf } from "./readMime.ts"

/** A mail as the server took it. */
export interface ReceivedMail {
  readonly from: string
  readonly recipients: ReadonlyArray<string>
  readonly headers: ReadonlyMap<string, string>
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly raw: string
}

/** An SMTP server on this machine, with the interface for tests. */
export interface RunningSmtpServer {
  readonly port: number
  readonly received: () => ReadonlyArray<ReceivedMail>
  /** Every line that was sent to it, mails apart. */
  readonly commands: () => ReadonlyArray<string>
  /** Answers the next command with this start with this line. */
  readonly answerNext: (command: string, line: string) => void
  /** Leaves the next command with this start without an answer. */
  readonly ignoreNext: (command: string) => void
}

const receivedOf = (from: string, recipients: ReadonlyArray<string>, raw: string): ReceivedMail => {
  const headers = headersOf(raw.slice(0, raw.indexOf("\r\n\r\n")))
  return {
    from,
    recipients,
    headers,
    subject: wordsOf(headers.get("subject") ?? ""),
    text: partOf(raw, "text/plain"),
    html: partOf(raw, "text/html"),
    raw
  }
}

/** Start of a browser request. A form of any page can send an email to this port. */
const isHttp = (line: string) => /^[A-Z]+ \S+ HTTP\/\d/u.test(line)

const inBrackets = (line: string) => /<([^>]*)>/u.exec(line)?.[1] ?? ""

/** Runs an SMTP server without TLS on a free port of this machine, until the scope ends. */
export const startSmtpServer: Effect.Effect<RunningSmtpServer, never, Scope.Scope> = Effect.gen(function* () {
  const received: Array<ReceivedMail> = []
  const commands: Array<string> = []
  const script: Array<{ readonly command: string; readonly line: string | null }> = []
  const sockets = new Set<Socket>()

  const scripted = (line: string) => {
    const at = script.findIndex(({ command }) => line.toUpperCase().startsWith(command))
    return at === -1 ? undefined : script.splice(at, 1)[0]?.line
  }

  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
    socket.on("error", () => socket.destroy())
    let [buffer, from, data] = ["", "", null as string | null]
    let recipients: Array<string> = []
    const say = (line: string) => socket.write(`${line}\r\n`)

    const usual: Readonly<Record<string, (line: string) => string>> = {
      EHLO: () => "250-simulator\r\n250-AUTH PLAIN\r\n250 SMTPUTF8",
      HELO: () => "250 simulator",
      AUTH: () => "235 welcome",
      MAIL: (line) => {
        ;[from, recipients] = [inBrackets(line), []]
        return "250 ok"
      },
      RCPT: (line) => {
        recipients.push(inBrackets(line))
        return "250 ok"
      },
      DATA: () => {
        data = ""
        return "354 go on"
      },
      RSET: () => "250 ok",
      QUIT: () => "221 bye"
    }

    const end = (raw: string) => {
      const answer = scripted("END OF DATA")
      if (answer === null) return
      if (answer === undefined) received.push(receivedOf(from, recipients, raw))
      say(answer ?? "250 taken")
    }

    const hear = (line: string) => {
      if (socket.destroyed) return undefined
      if (data === null && isHttp(line)) return socket.destroy()
      if (data !== null) {
        if (line !== ".") {
          data += `${line.replace(/^\./u, "")}\r\n`
          return undefined
        }
        const raw = data
        data = null
        return end(raw)
      }
      commands.push(line)
      const answer = scripted(line)
      if (answer === null) return undefined
      say(answer ?? usual[line.slice(0, 4).toUpperCase()]?.(line) ?? "500 what?")
      return line.toUpperCase() === "QUIT" ? socket.end() : undefined
    }

    socket.setEncoding("latin1").on("data", (chunk: string) => {
      buffer += chunk
      for (let at = buffer.indexOf("\r\n"); at !== -1; at = buffer.indexOf("\r\n")) {
        const line = buffer.slice(0, at)
        buffer = buffer.slice(at + 2)
        hear(Buffer.from(line, "latin1").toString("utf8"))
      }
    })
    const greeting = scripted("CONNECT")
    if (greeting !== null) say(greeting ?? "220 simulator")
  }

  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer(serve)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resume(Effect.void))
      })
  )
  const address = server.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    received: () => [...received],
    commands: () => [...commands],
    answerNext: (command, line) => void script.push({ command, line }),
    ignoreNext: (command) => void script.push({ command, line: null })
  }
})

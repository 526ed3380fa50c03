import { Effect } from "effect"
import { createSocket } from "node:dgram"

const aRecord = 1
const aaaaRecord = 28
const headerBytes = 12

const bytesOfV6 = (address: string) => {
  const [head = "", tail = ""] = address.split("::")
  const groups = (text: string) => (text === "" ? [] : text.split(":"))
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => "0")
  const bytes = Buffer.alloc(16)
  for (const [index, group] of [...groups(head), ...zeros, ...groups(tail)].entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2)
  }
  return bytes
}

const recordOf = (type: number, address: string) => {
  const data = type === aRecord ? Buffer.from(address.split(".").map(Number)) : bytesOfV6(address)
  const fixed = Buffer.alloc(12)
  // The name is a pointer to the requested name.
  fixed.writeUInt16BE(0xc000 + headerBytes, 0)
  fixed.writeUInt16BE(type, 2)
  fixed.writeUInt16BE(1, 4)
  fixed.writeUInt32BE(1, 6)
  fixed.writeUInt16BE(data.length, 10)
  return Buffer.concat([fixed, data])
}

/** Data of a name server about a name: its addresses; none for an unknown name; or no answer at all. */
export type Known = ReadonlyArray<string> | "silence"

/** A name server on this machine, which answers one question in each packet; gives its address. */
export const nameServer = (names: Readonly<Record<string, Known>>) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly address: string; readonly asked: Array<string>; readonly close: () => void }>(
      (resume) => {
        const asked: Array<string> = []
        const socket = createSocket("udp4", (query, from) => {
          const labels: Array<string> = []
          let at = headerBytes
          while ((query[at] ?? 0) > 0) {
            const length = query[at] ?? 0
            labels.push(query.toString("latin1", at + 1, at + 1 + length))
            at += 1 + length
          }
          const type = query.readUInt16BE(at + 1)
          const question = query.subarray(headerBytes, at + 5)
          const name = labels.join(".")
          asked.push(`${name} ${type === aaaaRecord ? "AAAA" : "A"}`)
          const known = names[name]
          if (known === "silence") return
          const fitting = (known ?? []).filter((address) => address.includes(":") === (type === aaaaRecord))
          const header = Buffer.alloc(headerBytes)
          header.writeUInt16BE(query.readUInt16BE(0), 0)
          header.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2)
          header.writeUInt16BE(1, 4)
          header.writeUInt16BE(fitting.length, 6)
          socket.send(
            Buffer.concat([header, question, ...fitting.map((each) => recordOf(type, each))]),
            from.port,
            from.address
          )
        })
        socket.bind(0, "127.0.0.1", () => {
          resume(Effect.succeed({ address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() }))
        })
      }
    ),
    ({ close }) => Effect.sync(close)
  )

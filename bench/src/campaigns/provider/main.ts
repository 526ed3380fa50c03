import { Schema } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Ledger } from "./Ledger.ts"
import { type Seen, Settings } from "./Settings.ts"
import { Teller } from "./Teller.ts"

// A provider with minimal cost, because it shares the cores with the measured service. It implements no more of its
// protocol than the
// sending of broadcasts asks for.

const decodeSettings = Schema.decodeUnknownSync(Schema.fromJsonString(Settings))

const referenceIn = /"biz_opaque_callback_data":"([^"]*)"/
const recipientIn = /"to":"(\d+)"/

let settings: Settings = { latencyMillis: 0, tells: null }
let ledgers = new Map<string, Ledger>()
let teller: Teller | null = null
let count = 0

const seen = (): Seen => ({
  lines: Array.from(ledgers.values(), (ledger) => ledger.seenLine()),
  told: teller?.told() ?? { sent: 0, refused: 0, waiting: 0, p50: 0, p99: 0 }
})

const answer = (response: ServerResponse, body: string) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
  response.end(body)
}

const take = (url: string, body: string, response: ServerResponse) => {
  const phoneId = url.split("/").at(-2) ?? ""
  const reference = referenceIn.exec(body)?.[1] ?? ""
  const phone = recipientIn.exec(body)?.[1] ?? ""
  let ledger = ledgers.get(phoneId)
  if (ledger === undefined) ledgers.set(phoneId, (ledger = new Ledger(phoneId)))
  ledger.add(reference, Date.now())
  count += 1
  const id = `wamid.mock.${String(count).padStart(12, "0")}`
  const reply = () => {
    answer(response, `{"messaging_product":"whatsapp","messages":[{"id":"${id}"}]}`)
    teller?.accepted(phoneId, phone, id, reference)
  }
  if (settings.latencyMillis === 0) reply()
  else setTimeout(reply, settings.latencyMillis)
}

const behave = (body: string) => {
  settings = decodeSettings(body)
  teller?.stop()
  teller = settings.tells === null ? null : new Teller(settings.tells)
  ledgers = new Map()
}

const answerTo = ({ url = "" }: IncomingMessage, body: string, response: ServerResponse) => {
  if (url.endsWith("/messages")) return take(url, body, response)
  if (url === "/bench/settings") behave(body)
  answer(response, JSON.stringify(seen()))
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  let body = ""
  request.setEncoding("latin1")
  request.on("data", (text: string) => {
    body += text
  })
  request.on("end", () => answerTo(request, body, response))
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object" && address !== null) console.log(JSON.stringify({ port: address.port }))
})
process.stdin.resume()
process.stdin.on("end", () => process.exit(0))

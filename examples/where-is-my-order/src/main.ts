// A complete plugin: it answers questions about an order with the tracking link of the shop.
import { ParleyClient, ParleyWebhooks } from "@parley/http-adapter/client"
import { createServer, type IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { answer, trackingLinkIn } from "./answering.ts"
import { type LifecycleCall, openInstallations } from "./installations.ts"
import { manifestAt } from "./manifest.ts"

const { PARLEY_URL = "http://127.0.0.1:8787", PLUGIN_FILE = ".installations.json", PORT = "3100" } = process.env
const { PLUGIN_URL = `http://127.0.0.1:${PORT}` } = process.env
const installations = openInstallations(PLUGIN_FILE)

/** Input of an action, limited to the fields that this plugin reads. */
interface ActionCall {
  readonly organizationId: string
  readonly conversationId: string | null
  readonly input?: { readonly skus?: ReadonlyArray<string> }
}

const clientOf = (organizationId: string, token: string) =>
  ParleyClient.promise({ baseUrl: PARLEY_URL, organizationId, token })

const refuse = (message: string): never => {
  throw new ParleyWebhooks.WebhookRefused({ fault: "signature_invalid", message })
}

/** Organization of a body. It is not verified yet, because it selects the secret that verifies it. */
const readCall = <Call extends { readonly organizationId: string }>(body: string): Call => {
  try {
    const call = JSON.parse(body) as Call | null
    if (typeof call?.organizationId === "string") return call
  } catch {
    return refuse("That is no JSON.")
  }
  return refuse("That names no organization.")
}

const verified = async (request: IncomingMessage, body: string, organizationId: string) => {
  const installation = installations.find(organizationId) ?? refuse("No organization has installed the plugin.")
  const event = await ParleyWebhooks.verify({ headers: request.headers, body }, { secrets: installation.secrets })
  return { event, installation, client: clientOf(organizationId, installation.token) }
}

/** The first call brings the secret that it is signed with, so it proves itself by a token that the service takes. */
const live = async (request: IncomingMessage, body: string) => {
  const call = readCall<LifecycleCall>(body)
  if (installations.find(call.organizationId) === undefined) {
    const { secret = "", token = "" } = call
    if (!/^whsec_[\w+/]{43}=$/u.test(secret)) return refuse("It brings no secret.")
    await ParleyWebhooks.verify({ headers: request.headers, body }, { secrets: secret })
    await clientOf(call.organizationId, token).conversations.list({ query: { limit: 1 } })
  } else await verified(request, body, call.organizationId)
  installations.take(call)
  console.log(call.type)
  return {}
}

const hear = async (request: IncomingMessage, body: string) => {
  const { organizationId } = readCall<ActionCall>(body)
  const { client, event, installation } = await verified(request, body, organizationId)
  if (event.type !== "message.received") return {}
  const { conversationId, messageId } = event.data
  const { question = "where is my order" } = installation.settings
  const input = await answer(client, { conversationId, messageId, question, delivery: event.id })
  if (input !== null) console.log(input)
  return {}
}

const act = async (request: IncomingMessage, body: string) => {
  const { conversationId, input, organizationId } = readCall<ActionCall>(body)
  const { client } = await verified(request, body, organizationId)
  const skus = input?.skus ?? null
  return { output: { url: conversationId === null ? null : await trackingLinkIn(client, conversationId, skus) } }
}

const routes = new Map([
  ["GET /plugin.json", async () => manifestAt(PLUGIN_URL)],
  ["POST /lifecycle", live],
  ["POST /events", hear],
  ["POST /actions/tracking_link", act]
])

const server = createServer(async (request, response) => {
  const write = (status: number, input: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(input))
  try {
    const route = routes.get(`${request.method} ${request.url}`)
    if (route === undefined) return write(404, {})
    write(200, await route(request, await text(request)))
  } catch (error) {
    const isRefused = error instanceof ParleyWebhooks.WebhookRefused
    if (!isRefused) console.error(error)
    write(isRefused ? 400 : 500, {})
  }
})

server.listen(Number(PORT), "127.0.0.1", () => console.log(`Listening on port ${PORT}`))

// Receives deliveries of a webhook subscription. PARLEY_WEBHOOK_SECRETS has its secret, or both during a replacement.
import { ParleyWebhooks } from "@parley/http-adapter/client"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

const { PARLEY_WEBHOOK_SECRETS = "", PORT = "3000" } = process.env
const secrets = PARLEY_WEBHOOK_SECRETS.split(" ")

/** Handled deliveries, because a delivery can arrive again. Store them outside of the process. */
const handled = new Set<string>()

const handle = (event: ParleyWebhooks.WebhookEvent) => {
  switch (event.type) {
    case "message.received":
      return console.log(`${event.type}: ${event.data.messageId} in ${event.data.conversationId}`)
    case "tag.created":
      return console.log(`${event.type}: ${event.data.tagId}`)
    default:
      return console.log(event.type)
  }
}

const server = createServer(async (request, response) => {
  try {
    const body = await text(request)
    const event = await ParleyWebhooks.verify({ headers: request.headers, body }, { secrets })
    if (!handled.has(event.id)) handle(event)
    handled.add(event.id)
    response.writeHead(204).end()
  } catch (error) {
    const isRefused = error instanceof ParleyWebhooks.WebhookRefused
    if (!isRefused) console.error(error)
    response.writeHead(isRefused ? 400 : 500).end()
  }
})

server.listen(Number(PORT), () => console.log(`Listening on port ${PORT}`))

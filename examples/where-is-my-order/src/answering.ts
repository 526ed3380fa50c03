import type { ParleyClient } from "@parley/http-adapter/client"

type Client = ParleyClient.PromiseClient

/**
 * Finds the tracking link of a parcel for the contact of a conversation; `null` if none exists. `skus` limits the search to orders with any of
 * these SKUs.
 */
export const trackingLinkIn = async (
  client: Client,
  conversationId: string,
  skus: ReadonlyArray<string> | null = null
): Promise<string | null> => {
  const { orders } = await client.commerce.ofConversation({ params: { id: conversationId } })
  const wanted = orders.filter(
    ({ lines }) => skus === null || lines.some(({ sku }) => sku !== null && skus.includes(sku))
  )
  const parcels = wanted.flatMap(({ fulfilments }) => fulfilments)
  return parcels.find(({ trackingUrl }) => trackingUrl !== null)?.trackingUrl ?? null
}

/** Request for an answer: the message and the delivery that reported it. */
interface Asked {
  readonly conversationId: string
  readonly messageId: string
  readonly question: string
  readonly delivery: string
}

/** Answers a message that asks where an order is. The delivery is the key of the answer, so a repeated delivery is answered only once. */
export const answer = async (client: Client, { conversationId, delivery, messageId, question }: Asked) => {
  const { data } = await client.messages.list({ params: { id: conversationId }, query: { limit: 20 } })
  const asked = data.find(({ id }) => id === messageId)
  if (asked?.text?.toLowerCase().includes(question.toLowerCase()) !== true) return null
  const link = await trackingLinkIn(client, conversationId)
  const text = link === null ? "We are looking after your order, and write to you soon." : `Here it is: ${link}`
  await client.messages.send(
    { params: { id: conversationId }, payload: { kind: "text", text } },
    { idempotencyKey: `answer-${delivery}` }
  )
  return text
}

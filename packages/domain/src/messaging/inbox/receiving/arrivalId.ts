import type { Arrival } from "../../chat/index.ts"
import { MessageId } from "../Ids.ts"

const mostPlaces = 0xffff

/** A message that is read at another position, when its delivery is applied again by a later version, gets no id of another one. */
const shortHash = (text: string): number => {
  let hash = 0x811c_9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193)
  return (hash ^ (hash >>> 16)) & 0xffff
}

const hex = (number: number) => number.toString(16).padStart(4, "0")

/**
 * The id of a message that came in: messages of one second are listed by their ids, so these sort by when their delivery
 * arrived and then by its own order, whenever it is applied. The last 32 bits of a delivery's UUIDv7 are random; what comes
 * before them tells deliveries apart, and their order.
 */
export const arrivalId = ({ deliveryId, position }: Arrival, providerMessageId: string): MessageId =>
  MessageId.make(deliveryId.slice(0, -8) + hex(Math.min(position, mostPlaces)) + hex(shortHash(providerMessageId)))

import {
  type AcceptedMessage,
  ChannelInDoubt,
  type ChannelRefused,
  ChannelUnreachable,
  type ProviderConnection,
  type MessageSender,
  type OutgoingMessage
} from "@parley/domain/messaging"
import { Effect } from "effect"
import type { NextSend } from "./ChatScript.ts"
import { authorized, keyOf, nextId, type Provider, refused } from "./provider.ts"
import type { WholeChannel } from "./WholeChannel.ts"

const variablesIn = (text: string) =>
  [...new Set(Array.from(text.matchAll(/\{\{\s*(\w+)\s*\}\}/gu), ([, name = ""]) => name))].toSorted()

export const makeSending = (provider: Provider): WholeChannel["sending"] => {
  const { sent, marked, typed, closed, templates } = provider
  const takeNext = (to: string): NextSend | null => {
    const found = provider.script.find((entry) => entry.to === undefined || entry.to === to)
    provider.script = provider.script.filter((entry) => entry !== found)
    return found?.what ?? null
  }

  const misfit = ({ content, to }: OutgoingMessage): ChannelRefused | null => {
    if (content.kind !== "template") {
      return closed.has(to.value) && content.kind !== "reaction"
        ? refused(131_047, "needs_template", "More than 24 hours have passed since the last reply.")
        : null
    }
    const template = templates.get(keyOf(content.template.name, content.template.language))
    if (template?.status !== "approved") return refused(132_001, "refresh_template", "The template is not approved.")
    if (template.components.authentication !== undefined) return null
    const body = template.components.body?.text ?? ""
    const given = Object.keys(content.template.body).toSorted()
    return variablesIn(body).join() === given.join()
      ? null
      : refused(132_000, "refresh_template", "The number of parameters does not match.")
  }

  const take = (line: ProviderConnection, message: OutgoingMessage, held: boolean): AcceptedMessage => {
    const providerMessageId = nextId(provider, "wamid.memory")
    sent.push({ providerMessageId, line, message })
    return { providerMessageId, held }
  }

  const send: MessageSender["send"] = Effect.fnUntraced(function* (line, message) {
    yield* authorized(provider, line)
    const next = takeNext(message.to.value)
    if (next?.kind === "unreachable") return yield* new ChannelUnreachable()
    if (next?.kind === "refused") {
      return yield* refused(next.code, next.remedy, "This was asked for.", next.retryAfterMillis ?? null)
    }
    const why = misfit(message)
    if (why !== null) return yield* why
    if (next?.kind === "in_doubt") {
      if (next.taken) take(line, message, false)
      return yield* new ChannelInDoubt({ reason: "connection_lost" })
    }
    return take(line, message, next?.kind === "held")
  })

  return {
    kinds: new Set([
      "text",
      "image",
      "video",
      "audio",
      "document",
      "sticker",
      "interactive",
      "template",
      "reaction",
      "location",
      "contacts",
      "provider"
    ]),
    reaches: new Set(["phone", "chat_user"]),
    hasServiceWindow: true,
    send,
    markRead: (line, providerMessageId, { isTyping }) =>
      Effect.map(authorized(provider, line), () => {
        marked.push(providerMessageId)
        if (isTyping) typed.push(providerMessageId)
      })
  }
}

import { Effect, Schema } from "effect"
import { ToolFailed } from "../../load/ToolFailed.ts"
import type { Provider } from "../provider.ts"
import type { Talk } from "./talks.ts"

const pick = <A>(items: ReadonlyArray<A>, index: number): A => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error("There is nothing to pick from.")
  return item
}

const Sent = Schema.Struct({ text: Schema.Struct({ body: Schema.String }) })
const isSent = Schema.is(Sent)

/** Written messages, each with a number and its state. */
export const makeLetters = ({ simulator }: Provider, talks: ReadonlyArray<Talk>) => {
  const written: Array<{ readonly at: number; readonly talk: Talk }> = []
  return {
    written: () => written.length,
    request: () => {
      const number = written.length
      const talk = pick(talks, number)
      const { accessToken, organizationId } = pick(talk.callers, number)
      const body = JSON.stringify({ kind: "text", text: `Letter ${number}` })
      written.push({ at: Date.now(), talk })
      return `POST /api/v1/conversations/${talk.conversationId}/messages HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${accessToken}\r\nX-Organization-Id: ${organizationId}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    },
    /** Messages accepted by the provider after this number: each once, to its addressee, in conversation order. */
    taken: Effect.fnUntraced(function* (from: number) {
      const differ = (output: string) => new ToolFailed({ tool: "parley", output })
      if (simulator.refused().length > 0) return yield* differ("The provider has refused a message.")
      const accepted = simulator.accepted().slice(from)
      const seen = new Set<number>()
      const latest = new Map<string, number>()
      const latencies: Array<number> = []
      for (const { at, payload, phoneId, to } of accepted) {
        const number = isSent(payload) ? Number(payload.text.body.replace("Letter ", "")) : Number.NaN
        const letter = written[number]
        if (letter === undefined) return yield* differ("The provider received an unknown message.")
        const { talk } = letter
        if (seen.has(number)) return yield* differ(`Letter ${number} was sent twice.`)
        if (talk.phone !== to || talk.phoneId !== phoneId)
          return yield* differ(`Letter ${number} went to another person.`)
        if ((latest.get(talk.conversationId) ?? -1) > number) return yield* differ(`Letter ${number} was overtaken.`)
        seen.add(number)
        latest.set(talk.conversationId, number)
        latencies.push(at - letter.at)
      }
      return {
        firstAt: accepted[0]?.at ?? Number.NaN,
        lastAt: accepted.at(-1)?.at ?? Number.NaN,
        latencies: Float64Array.from(latencies).toSorted()
      }
    })
  }
}

/** Text and recipient of a message. */
export type Letters = ReturnType<typeof makeLetters>

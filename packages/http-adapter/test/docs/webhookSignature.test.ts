import { NodeFileSystem } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ParleyWebhooks } from "../../src/client/index.ts"
import { readSiteText } from "../../src/server/docs/SiteFiles.ts"

const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`
const otherSecret = `whsec_${Buffer.alloc(24, 8).toString("base64")}`

type IsSigned = (secret: string, headers: Readonly<Record<string, string>>, body: string) => boolean

/** The function as printed in the guide. */
const printed = Effect.gen(function* () {
  const [, program = ""] = /^```js\n(.*?)^```$/ms.exec(yield* readSiteText("guides/webhooks.md")) ?? []
  const module = yield* Effect.promise(
    (): Promise<{ readonly isSigned: IsSigned }> => import(`data:text/javascript,${encodeURIComponent(program)}`)
  )
  return module.isSigned
})

const body = JSON.stringify({ type: "message.received", data: { text: "🥐" } })

const signedAt = (millis: number, secrets: string | ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const timestamp = Math.floor(millis / 1_000)
    return {
      "webhook-id": "d1",
      "webhook-timestamp": String(timestamp),
      "webhook-signature": await ParleyWebhooks.sign(secrets, { id: "d1", timestamp, body })
    }
  })

it.live("the check of a signature in the guide accepts requests of Parley only", () =>
  Effect.gen(function* () {
    const isSigned = yield* printed
    const headers = yield* signedAt(Date.now(), [otherSecret, secret])
    assert.isTrue(isSigned(secret, headers, body))
    assert.isFalse(isSigned(secret, headers, `${body} `))
    assert.isFalse(isSigned(secret, { ...headers, "webhook-id": "d2" }, body))
    assert.isFalse(isSigned(secret, { ...headers, "webhook-signature": "v1,é v1,x" }, body))
    assert.isFalse(isSigned(secret, yield* signedAt(Date.now(), otherSecret), body))
    assert.isFalse(isSigned(secret, yield* signedAt(Date.now() - 400_000, secret), body))
  }).pipe(Effect.provide(NodeFileSystem.layer))
)

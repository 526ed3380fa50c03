import { Effect } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { type Fields, refusePlainly } from "../checks.ts"
import type { World } from "../World.ts"
import type { CallbackOverride } from "../world/NumberState.ts"

/** Asks a callback address for its challenge, as the provider does before it delivers there. */
export const makeVerification = (world: World, client: HttpClient.HttpClient) => {
  const verify = (url: string, verifyToken: string): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      const challenge = String(1_000_000_000 + world.next())
      return HttpClientRequest.get(url, {
        urlParams: { "hub.mode": "subscribe", "hub.challenge": challenge, "hub.verify_token": verifyToken }
      }).pipe(
        client.execute,
        Effect.flatMap((response) =>
          Effect.map(response.text, (text) => response.status === 200 && text === challenge)
        ),
        Effect.orElseSucceed(() => false)
      )
    })

  /** Reads an override; null for none, and for an empty address, which removes it. */
  const overrideIn = (fields: Fields): Effect.Effect<CallbackOverride | null> =>
    Effect.suspend(() => {
      const url = fields["override_callback_uri"]
      const verifyToken = fields["verify_token"]
      if (url === undefined || url === "") return Effect.succeed(null)
      if (typeof url !== "string" || url.length > 200 || !/^https?:\/\//u.test(url)) {
        return refusePlainly(100, "(#100) Param override_callback_uri must be an address of at most 200 characters.")
      }
      if (typeof verifyToken !== "string" || verifyToken === "") {
        return refusePlainly(100, "(#100) Param verify_token is required.")
      }
      return Effect.map(verify(url, verifyToken), (isVerified) =>
        isVerified
          ? { url, verifyToken }
          : refusePlainly(2_200, "(#2200) Callback verification failed: the callback did not return the challenge.")
      )
    })

  return { verify, overrideIn }
}
export type Verification = ReturnType<typeof makeVerification>

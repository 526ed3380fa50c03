import { ParleyClient } from "@parley/http-adapter/client"
import { WrongUsage } from "@parley/service/configuration"
import { Effect, Option, Redacted, Schema } from "effect"
import type { KnownOrganization } from "../profiles/Profile.ts"
import { type Asker, explained } from "./explained.ts"
import { layerHttp } from "./http.ts"

const Claims = Schema.StringFromBase64Url.pipe(
  Schema.decodeTo(Schema.fromJsonString(Schema.Struct({ aud: Schema.Literal("parley"), org: Schema.String })))
)

/** What the token says of itself; the service says whether that is true. */
const organizationIn = (token: Redacted.Redacted) => {
  const [, payload = ""] = Redacted.value(token).split(".")
  return Option.map(Schema.decodeOption(Claims)(payload), ({ org }) => org)
}

/** The organization that an automation token is good for, as the service knows it. */
export const holderOf = Effect.fnUntraced(function* (address: string, token: Redacted.Redacted, asker: Asker) {
  const id = organizationIn(token)
  if (Option.isNone(id)) {
    return yield* new WrongUsage({
      message: "This is no automation token. To issue one: parley token issue --help"
    })
  }
  const client = yield* ParleyClient.make({ baseUrl: address, token, organizationId: id.value, retry: { times: 0 } })
  return yield* client.organization.get().pipe(
    Effect.map(({ name, slug }): KnownOrganization => ({ id: id.value, slug, name })),
    // A token is good without the right to read what its organization is called.
    Effect.catchTag("PermissionDenied", () =>
      Effect.succeed<KnownOrganization>({ id: id.value, slug: null, name: id.value })
    ),
    Effect.mapError(explained(asker))
  )
}, Effect.provide(layerHttp))

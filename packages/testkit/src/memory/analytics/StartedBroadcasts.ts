import { isAccepted, type RecipientStatus } from "@parley/domain/campaigns"
import { type StartedBroadcast, StartedBroadcasts } from "@parley/domain/analytics"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { shownRecipients } from "../campaigns/RecipientList.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  StartedBroadcasts,
  Effect.map(Store, (store) =>
    StartedBroadcasts.of({
      list: (from, to, { after, limit }) =>
        store.readTenant((tenant) => {
          const started = HashMap.toValues(tenant.broadcasts)
            .flatMap(({ id, name, startedAt, status }) => (startedAt === null ? [] : [{ id, name, status, startedAt }]))
            .filter(
              ({ startedAt }) => DateTime.isGreaterThanOrEqualTo(startedAt, from) && DateTime.isLessThan(startedAt, to)
            )
            .map((each) => ({ ...each, at: DateTime.toEpochMillis(each.startedAt) }))
            .toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
          const [at = "", id = ""] = after ?? []
          const rest =
            after === null
              ? started
              : started.filter((each) => each.at < Number(at) || (each.at === Number(at) && each.id < id))
          return rest.slice(0, limit).map(({ at: _at, ...broadcast }): StartedBroadcast => {
            const recipients = shownRecipients(tenant, broadcast.id)
            const of = (...statuses: ReadonlyArray<RecipientStatus>) =>
              recipients.filter(({ status }) => statuses.includes(status)).length
            return {
              ...broadcast,
              matched: recipients.length,
              failed: of("failed"),
              inDoubt: of("in_doubt"),
              optedOut: recipients.filter(({ optedOutAt }) => optedOutAt !== null).length,
              sent: recipients.filter(({ status }) => isAccepted(status)).length,
              delivered: of("delivered", "read"),
              read: of("read"),
              replied: recipients.filter(({ repliedAt }) => repliedAt !== null).length
            }
          })
        })
    })
  )
)

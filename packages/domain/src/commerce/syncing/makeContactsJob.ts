import { DateTime, Effect, Schema } from "effect"
import { defineJob, JobId } from "../../platform/jobs/index.ts"
import { StoreConnectionId } from "../Ids.ts"
import { receiveCustomers } from "../receiving/receiveCustomers.ts"
import type { CustomerRecord } from "../records/CustomerRecord.ts"
import { StoreConnections } from "../StoreConnections.ts"
import type { KeptCustomer } from "../StoreCustomer.ts"
import { StoreCustomers } from "../StoreCustomers.ts"

/** How many customers a step looks at. */
const stride = 500

/** A customer as the shop has told of it last. */
const asTold = ({ changedAt, customer, smsConsentAt }: KeptCustomer): CustomerRecord => ({
  externalId: customer.externalId,
  name: customer.name,
  phones: customer.phone === null ? [] : [customer.phone],
  email: customer.email,
  locale: customer.locale,
  tags: customer.tags,
  smsConsent: { state: customer.smsConsent, at: smsConsentAt },
  emailConsent: { state: customer.emailConsent, at: null },
  updatedAt: changedAt
})

/** Does with the customers who are known already what is wanted by now: they are made contacts, and what they have said in the shop is taken. */
export const makeContactsJob = defineJob({
  name: "stores.make_contacts",
  needs: null,
  input: Schema.Struct({ jobId: JobId, storeConnectionId: StoreConnectionId }),
  checkpoint: Schema.Struct({ after: Schema.NullOr(Schema.String), seen: Schema.Int, isFull: Schema.Boolean }),
  step: Effect.fnUntraced(function* ({ storeConnectionId }, checkpoint) {
    const { after, isFull, seen } = checkpoint ?? { after: null, seen: 0, isFull: false }
    const page = yield* (yield* StoreCustomers).list(
      { storeConnectionId, contactId: null, updatedSince: null, q: null },
      { limit: stride, after: after === null ? null : [after] }
    )
    const [connection] = yield* (yield* StoreConnections).find([storeConnectionId])
    const wanted = page.filter(({ customer }) => customer.contactId === null || connection?.takeConsent === true)
    const received = yield* receiveCustomers({ id: storeConnectionId }, wanted.map(asTold))
    const next = {
      after: page.at(-1)?.customer.id ?? after,
      seen: seen + page.length,
      isFull: isFull || received?.isFull === true
    }
    const done = page.length < stride
    if (done && next.isFull) {
      const reason = "The plan has no room for more contacts: some customers are no contacts."
      const at = yield* DateTime.now
      yield* (yield* StoreConnections).keepProgress(storeConnectionId, {
        lastError: { code: "contacts_limit", reason, at }
      })
    }
    return {
      checkpoint: next,
      done,
      progress: { done: next.seen, total: null },
      counts: { customers: next.seen }
    }
  })
})

import { type Fields, listAt } from "../checks.ts"
import { webhookError } from "../errorCodes.ts"
import { type Refusal, refusal } from "../failures.ts"
import type { Groups } from "../inbound/groups.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { Group } from "../World.ts"
import { type Call, PartialSuccess } from "./Call.ts"
import { pageOf } from "./fields.ts"
import { requireProduct } from "./registration.ts"

const shownError = ({ code, details, message }: Refusal) => {
  const { error_data, title } = webhookError(code, details ?? message)
  return { code, message: `(#${code}) ${title}`, title, error_data }
}

/** Requests to join a group whose participants need an approval. */
export const makeJoinRequests = (groups: Groups) => {
  const decide =
    (word: "approved" | "rejected") =>
    (number: SimulatedNumber, group: Group, fields: Fields): object => {
      requireProduct(fields)
      const results = listAt(fields["join_requests"], "join_requests", 100).map((value) => {
        const id = String(value)
        return { id, failure: word === "approved" ? groups.approve(number, group, id) : groups.reject(group, id) }
      })
      const failed = results.flatMap(({ failure, id }) =>
        failure === null ? [] : [{ join_request_id: id, errors: [shownError(failure)] }]
      )
      const answer = {
        messaging_product: "whatsapp",
        [`${word}_join_requests`]: results.flatMap(({ id, failure }) => (failure === null ? [id] : []))
      }
      if (failed.length === 0) return answer
      const partial = refusal(131_201, "Not all join requests were processed.")
      return new PartialSuccess({ ...answer, failed_join_requests: failed, errors: [shownError(partial)] })
    }

  return {
    approve: decide("approved"),
    reject: decide("rejected"),
    list: (_: SimulatedNumber, group: Group, __: Fields, call: Call): object =>
      pageOf([...group.requests], call.query, `${call.origin}/${call.id}/join_requests`, ([id, { at, customer }]) => ({
        join_request_id: id,
        creation_timestamp: Math.floor(at / 1_000),
        ...groups.participant(customer)
      }))
  }
}

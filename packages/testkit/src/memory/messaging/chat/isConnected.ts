import type { ChatAccountId } from "@parley/domain/messaging"
import { rowAt, type Tenant } from "../../store/State.ts"
import type { ChatAccountRow } from "../state.ts"

/** Whether an account is one, and was not removed. */
export const isConnected = ({ removedAt }: ChatAccountRow): boolean => removedAt === null

/** Whether the account exists and is not removed. */
export const hasAccount = ({ chatAccounts }: Tenant, id: ChatAccountId): boolean => {
  const row = rowAt(chatAccounts, id)
  return row !== null && isConnected(row)
}

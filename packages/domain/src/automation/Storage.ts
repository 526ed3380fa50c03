import type { Automations } from "./Automations.ts"

/** What a storage adapter provides of this area. */
export type AutomationStorage = Automations

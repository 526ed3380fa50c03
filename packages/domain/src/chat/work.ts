import type { Work } from "../work/index.ts"
import { refreshTemplates } from "./refreshTemplates.ts"

const templates = { name: "template fetches", run: refreshTemplates, wake: {}, lanes: 1 } satisfies Work<unknown>

/** Templates that have changed at the provider are fetched. */
export const chatWorks = [templates] as const

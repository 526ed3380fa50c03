/** What performs an action. The same run, step and visit name the same action, however often it is performed. */
export interface ActionCause {
  readonly kind: "automation" | "workflow"
  /** Of the automation or the workflow. */
  readonly id: string
  readonly runId: string
  /** The place of the action in its automation, or the node. */
  readonly step: string
  /** How often a run has come to the node; 1 in automations. */
  readonly visit: number
}

/** What the effect of an action is known by. */
export const keyOf = ({ runId, step, visit }: ActionCause): string => `${runId}:${step}:${visit}`

/** Schemas whose fields have the same meaning as in another schema, where the name does not say so. */
const bases: Readonly<Record<string, string>> = {
  AutomationAction: "Action",
  ActionTemplate: "Action",
  WorkflowAction: "Action",
  TriedAction: "Action",
  AnalyticsDay: "AnalyticsFigures",
  AnalyticsChanges: "AnalyticsFigures",
  PendingStoreConnection: "StoreConnection",
  InvitedMember: "Member",
  PluginCallAttempt: "WebhookAttempt",
  PluginCallLog: "PluginCall"
}

const derived =
  /^(?:New|Expanded|Listed|Issued|Exported|Catalogued)(?<prefixed>[A-Z].*)$|^(?<suffixed>[A-Z].*)(?:Patch|Row|Input|Encoded)$/u

/** Finds the schema that describes the same fields: `NewNote` and `NotePatch` have the fields of `Note`. */
export const baseOf = (context: string): string | undefined => {
  const { prefixed, suffixed } = derived.exec(context)?.groups ?? {}
  return bases[context] ?? prefixed ?? suffixed
}

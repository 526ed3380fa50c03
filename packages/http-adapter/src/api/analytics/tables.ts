/** An overview as a table. */
export const overviewCsv = `date,figure,currency,value
total,conversations.opened,,412
previous,conversations.opened,,380
change,conversations.opened,,8.4
2026-11-20,conversations.opened,,61
`

/** Series as a table. */
export const seriesCsv = `bucket,conversations.opened
2026-11-19,58
2026-11-20,61
`

/** Members as a table. */
export const agentsCsv = `id,name,status,sent,replies,resolved,open,waiting,firstResponse.count,firstResponse.medianSeconds,firstResponse.p90Seconds,reply.count,reply.medianSeconds,reply.p90Seconds,resolution.count,resolution.medianSeconds,resolution.p90Seconds
01934a10-61a8-7d22-9e4c-1b2c3d4e5f60,Ada Lovelace,active,310,205,64,9,2,120,187,2416,205,187,2416,64,5412,86400
`

/** Broadcasts as a table. */
export const broadcastsCsv = `id,name,status,startedAt,matched,sent,delivered,read,replied,failed,inDoubt,optedOut,deliveredRate,readRate,repliedRate,attributedOrders,attributed.EUR
01934bd0-1a2b-7c3d-8e4f-506172839405,Sale,completed,2026-11-20T09:00:00.000Z,5300,5200,5011,3570,298,81,0,6,0.9637,0.7124,0.0595,12,58400
`

/** A heatmap as a table. */
export const heatmapCsv = `weekday,hour,value,occurrences
monday,0,0,1
monday,1,3,1
`

/** What there is to do now as a table. */
export const liveCsv = `figure,value
open,63
pending,4
snoozed,11
unassigned,7
waiting.count,12
waiting.longestSeconds,5412
waiting.upTo.300,12
`

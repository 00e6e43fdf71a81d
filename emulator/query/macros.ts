/** SQL macros: conversions between types that DuckDB's casts do not make the way the query language does. */
export const MACROS: readonly string[] = [
  // A cast to TIMESTAMP drops the offset; one to TIMESTAMPTZ in a UTC session keeps it. The guard refuses 'epoch' and
  // 'infinity', which DuckDB also takes for times.
  `apl_time(s) AS CASE WHEN regexp_matches(s, '^\\s*[0-9]{4}-[0-9]{2}-[0-9]{2}')
     THEN CAST(TRY_CAST(trim(s) AS TIMESTAMPTZ) AS TIMESTAMP) END`,

  // Seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by size.
  `apl_epoch(n) AS CASE
     WHEN abs(n) < 1e11 THEN make_timestamp(CAST(round(n * 1e6) AS BIGINT))
     WHEN abs(n) < 1e14 THEN make_timestamp(CAST(round(n * 1e3) AS BIGINT))
     WHEN abs(n) < 1e17 THEN make_timestamp(CAST(round(n) AS BIGINT))
     WHEN abs(n) < 9e18 THEN make_timestamp(CAST(round(n / 1e3) AS BIGINT)) END`,

  `apl_iso(t) AS regexp_replace(strftime(t, '%Y-%m-%dT%H:%M:%S.%f'), '\\.?0*$', '') || 'Z'`,

  `apl_bool(s) AS CASE WHEN s IN ('1', 't', 'T', 'TRUE', 'true', 'True') THEN true
     WHEN s IN ('0', 'f', 'F', 'FALSE', 'false', 'False') THEN false END`,

  "apl_real_text(x) AS regexp_replace(CAST(x AS VARCHAR), '\\.0$', '')",

  // Strictly an integer: no fraction, no exponent.
  "apl_long(s) AS CASE WHEN regexp_matches(s, '^[+-]?[0-9]+$') THEN TRY_CAST(s AS BIGINT) END",

  "apl_real(s) AS CASE WHEN regexp_matches(s, '^\\s*[+-]?[0-9.]') THEN TRY_CAST(s AS DOUBLE) END",

  // Sums the parts of '1h30m', each of a number and a unit. Anything else in the text makes it null.
  `apl_span(s) AS CASE WHEN regexp_full_match(s, '[+-]?([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h|d))+')
     THEN CAST(round(CASE WHEN s[1] = '-' THEN -1 ELSE 1 END * list_sum(list_transform(
       regexp_extract_all(s, '[0-9.]+(ns|us|µs|ms|s|m|h|d)'),
       lambda p: CAST(regexp_extract(p, '^[0-9.]+') AS DOUBLE) * CASE regexp_extract(p, '[a-zµ]+$')
         WHEN 'ns' THEN 1 WHEN 'us' THEN 1e3 WHEN 'µs' THEN 1e3 WHEN 'ms' THEN 1e6 WHEN 's' THEN 1e9
         WHEN 'm' THEN 60e9 WHEN 'h' THEN 3600e9 ELSE 86400e9 END))) AS BIGINT) END`,

  `apl_span_fraction(n, unit, digits) AS CAST(n // unit AS VARCHAR) ||
     regexp_replace('.' || lpad(CAST(n % unit AS VARCHAR), digits, '0'), '\\.?0*$', '')`,

  `apl_span_text(n) AS CASE WHEN n = 0 THEN '0s' ELSE CASE WHEN n < 0 THEN '-' ELSE '' END || CASE
     WHEN abs(n) < 1000 THEN CAST(abs(n) AS VARCHAR) || 'ns'
     WHEN abs(n) < 1000000 THEN apl_span_fraction(abs(n), 1000, 3) || 'µs'
     WHEN abs(n) < 1000000000 THEN apl_span_fraction(abs(n), 1000000, 6) || 'ms'
     ELSE CASE WHEN abs(n) >= 3600000000000 THEN CAST(abs(n) // 3600000000000 AS VARCHAR) || 'h' ELSE '' END ||
       CASE WHEN abs(n) >= 60000000000 THEN CAST(abs(n) // 60000000000 % 60 AS VARCHAR) || 'm' ELSE '' END ||
       apl_span_fraction(abs(n) % 60000000000, 1000000000, 9) || 's' END END`,

  // JSON null is the language's null. The macro keeps the rest as text: strings bare, anything else as JSON.
  "apl_text(j) AS (j ->> '$')",
  "apl_json(j) AS CASE WHEN json_type(j) <> 'NULL' THEN j END",

  // Whole multiples of a size: of time since year 1 (so that weeks start on Mondays), of numbers and spans since 0.
  `apl_bin_time(t, micros) AS make_timestamp(epoch_us(t) - (epoch_us(t) + 62135596800000000) % micros)`,
  "apl_bin_long(n, size) AS n - ((n % size) + size) % size",
  "apl_bin_real(n, size) AS floor(n / size) * size",

  "apl_trim_start(cut, s) AS ltrim(s, cut)",
];

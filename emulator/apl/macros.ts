/**
 * SQL macros: conversions between types for which DuckDB's casts differ from the query language.
 *
 * A macro is text: an argument that it uses twice runs twice, and nested calls would grow exponentially. So each macro uses
 * its argument once; the ones that cannot take it from a list of one (`once`).
 */
const bindOnce = (argument: string, body: string): string => `list_transform([${argument}], lambda v: ${body})[1]`;

const trueWords = ["1", "t", "T", "TRUE", "true", "True"];
const falseWords = ["0", "f", "F", "FALSE", "false", "False"];
const words = (list: readonly string[]) => list.map((word) => `'${word}'`).join(", ");
const values = (list: readonly string[], value: boolean) => list.map(() => String(value)).join(", ");

const jsonText = '"(?:[^"\\\\]|\\\\.)*"';
const noNumber = "(?i)-?(?:nan|inf(?:inity)?)";
const loose = `${noNumber}|,\\s*[\\]}]`;

const spanPattern = "[+-]?([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h|d))+";

export const macros: readonly string[] = [
  // A cast to TIMESTAMP drops the offset; one to TIMESTAMPTZ in a UTC session keeps it. The pattern refuses 'epoch' and
  // 'infinity', which DuckDB also takes for times.
  `apl_time(s) AS CAST(TRY_CAST(regexp_extract(s, '^\\s*([0-9]{4}-[0-9]{2}-[0-9]{2}.*?)\\s*$', 1) AS TIMESTAMPTZ) AS TIMESTAMP)`,

  `apl_iso(t) AS regexp_replace(strftime(t, '%Y-%m-%dT%H:%M:%S.%f'), '\\.?0*$', '') || 'Z'`,

  `apl_bool(s) AS MAP([${words([...trueWords, ...falseWords])}], [${values(trueWords, true)}, ${values(falseWords, false)}])[s]`,

  `apl_real_text(x) AS ${bindOnce(
    "x",
    `CASE WHEN isnan(v) THEN 'NaN' WHEN isinf(v) THEN CASE WHEN v > 0 THEN '+Inf' ELSE '-Inf' END
     ELSE regexp_replace(CAST(v AS VARCHAR), '\\.0$', '') END`,
  )}`,

  // Values that JSON lacks become null.
  "apl_finite(x) AS nullif(nullif(nullif(x, 'nan'::DOUBLE), 'infinity'::DOUBLE), '-infinity'::DOUBLE)",

  // Strictly an integer: no fraction, no exponent.
  "apl_long(s) AS TRY_CAST(regexp_extract(s, '^[+-]?[0-9]+$') AS BIGINT)",

  "apl_real(s) AS TRY_CAST(regexp_extract(s, '^\\s*[+-]?[0-9.].*$') AS DOUBLE)",

  // Sums the parts of '1h30m', each of a number and a unit. Anything else in the text makes it null.
  `apl_span(s) AS ${bindOnce(
    "s",
    `CASE WHEN regexp_full_match(v, '${spanPattern}')
     THEN CAST(round(CASE WHEN v[1] = '-' THEN -1 ELSE 1 END * list_sum(list_transform(
       regexp_extract_all(v, '[0-9.]+(ns|us|µs|ms|s|m|h|d)'),
       lambda p: CAST(regexp_extract(p, '^[0-9.]+') AS DOUBLE) * MAP(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'd'],
         [1e0, 1e3, 1e3, 1e6, 1e9, 60e9, 3600e9, 86400e9])[regexp_extract(p, '[a-zµ]+$')]))) AS BIGINT) END`,
  )}`,

  `apl_span_fraction(n, unit, digits) AS CAST(n // unit AS VARCHAR) ||
     regexp_replace('.' || lpad(CAST(n % unit AS VARCHAR), digits, '0'), '\\.?0*$', '')`,

  `apl_span_text(n) AS ${bindOnce(
    "CAST(n AS HUGEINT)",
    `CASE WHEN v = 0 THEN '0s' ELSE CASE WHEN v < 0 THEN '-' ELSE '' END || CASE
     WHEN abs(v) < 1000 THEN CAST(abs(v) AS VARCHAR) || 'ns'
     WHEN abs(v) < 1000000 THEN apl_span_fraction(abs(v), 1000, 3) || 'µs'
     WHEN abs(v) < 1000000000 THEN apl_span_fraction(abs(v), 1000000, 6) || 'ms'
     ELSE CASE WHEN abs(v) >= 3600000000000 THEN CAST(abs(v) // 3600000000000 AS VARCHAR) || 'h' ELSE '' END ||
       CASE WHEN abs(v) >= 60000000000 THEN CAST(abs(v) // 60000000000 % 60 AS VARCHAR) || 'm' ELSE '' END ||
       apl_span_fraction(abs(v) % 60000000000, 1000000000, 9) || 's' END END`,
  )}`,

  // JSON null is the language's null. Strings become text without quotes, anything else becomes JSON.
  "apl_text(j) AS (j ->> '$')",
  `apl_json(j) AS ${bindOnce("j", "CASE WHEN json_type(v) <> 'NULL' THEN v END")}`,
  // The database accepts invalid JSON: NaN and infinity, and a comma after the last element.
  `apl_is_loose(s) AS regexp_matches(s, '${loose}') AND regexp_matches(regexp_replace(s, '${jsonText}', '""', 'g'), '${loose}')`,
  `apl_parse_json(s) AS ${bindOnce(
    "s",
    "CASE WHEN json_valid(v) AND NOT apl_is_loose(v) THEN apl_json(CAST(v AS JSON)) ELSE to_json(v) END",
  )}`,
  "apl_list(j) AS TRY_CAST(j AS JSON[])",

  // Multiples of a size: times count from year 1 (so that weeks start on Mondays), numbers and spans from 0.
  "apl_bin_time(t, micros) AS time_bucket(to_microseconds(micros), t, TIMESTAMP '0001-01-01')",
  `apl_bin_long(n, size) AS ${bindOnce("{'n': n, 's': size}", "v.n - ((v.n % v.s) + v.s) % v.s")}`,
  `apl_bin_real(n, size) AS ${bindOnce("{'n': n, 's': size}", "floor(v.n / v.s) * v.s")}`,
];

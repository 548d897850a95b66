// Date functions in place of those of jq in WebAssembly, which drop fractions of a second and offsets, read 12-hour times
// half a day off, and take days that do not exist for others.
//
// 1. An instant keeps its fraction: `fromdate`, `gmtime`, `mktime` and `strptime` agree with each other.
// 2. `strptime` converts a time with an offset (`%z`) to UTC. What it cannot read correctly is an error. The result of
//    WebAssembly's is right, and faster, if `strftime` makes the same text of it.
// 3. WebAssembly's `mktime` gets the first day of a month from 2000 to 2399, after which the calendar repeats; it takes other
//    years, missing parts and large parts for others. A month or day out of range is counted from the start of the year
//    or month, and `strftime` writes the resulting date and its day of the week.
// 4. Everything else is as in jq: `strftime` and `todate` write whole seconds. The build lacks `date`, `dateadd` and `datesub`.

/** What the conversions of `strptime` match. */
const PARTS = {
  Y: '(?<Y>[0-9]{4})',
  y: '(?<y>[0-9]{2})',
  m: '(?<m>1[0-2]|0?[1-9])',
  b: '(?<b>jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sep(tember)?|oct(ober)?|nov(ember)?|dec(ember)?)',
  a: '(sun(day)?|mon(day)?|tue(sday)?|wed(nesday)?|thu(rsday)?|fri(day)?|sat(urday)?)',
  d: ' ?(?<d>3[01]|[12][0-9]|0?[1-9])',
  j: '(?<j>[0-9]{1,3})',
  H: ' ?(?<H>2[0-3]|[01]?[0-9])',
  I: ' ?(?<I>1[0-2]|0?[1-9])',
  M: '(?<M>[0-5]?[0-9])',
  S: String.raw`(?<S>(60|[0-5]?[0-9])(\.[0-9]+)?)`,
  p: '(?<p>[ap]m)',
  z: '(?<z>z|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?)',
  Z: '(z|utc|gmt|ut)',
  s: '(?<s>-?[0-9]+)',
  u: '[0-7]',
  n: String.raw`\s*`,
  '%': '%',
};

/** Conversions that mean what others mean. */
const COMPOUND = {
  B: '%b',
  h: '%b',
  A: '%a',
  e: '%d',
  k: '%H',
  l: '%I',
  P: '%p',
  w: '%u',
  t: '%n',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  F: '%Y-%m-%d',
  c: '%a %b %d %H:%M:%S %Y',
};

const SOURCE = String.raw`
def __strptime(f): strptime(f);
def __gmtime: gmtime;
def __mktime: mktime;
def __strftime(f): strftime(f);

def gmtime:
  if type != "number" then __gmtime
  elif isnan or fabs > 8.64e12 then error("gmtime: \(tojson) is too large for a time in seconds")
  else floor as $seconds | (. - $seconds) as $fraction | $seconds | __gmtime | .[5] += $fraction
  end;

def __wrong_part:
  if length < 3 then "\(tojson) has no \(["year, month and day", "month and day", "day"][length])"
  else
    first(range(5) as $at | .[$at] | select(. != floor) | "the \(["year", "month", "day", "hour", "minute"][$at]) \(tojson) is not a whole number")
  end;

def __seconds($name):
  if type != "array" or .[:8] != [.[:8][] | numbers] then error("\($name) requires parsed datetime inputs")
  elif length < 3 or .[:5] != [.[:5][] | floor] then
    error("\($name): \(__wrong_part); write [year, month from 0, day, hour, minute, second]")
  else
    (.[0] + (.[1] / 12 | floor)) as $year
    | ($year / 400 | floor) as $cycle
    | ([2000 + $year - 400 * $cycle, .[1] - 12 * (.[1] / 12 | floor), 1, 0, 0, 0, 0, 0] | __mktime)
      + ($cycle - 5) * 12622780800 + (.[2] - 1) * 86400 + (.[3] // 0) * 3600 + (.[4] // 0) * 60 + (.[5] // 0)
    | if isnan or fabs > 8.64e12 then error("\($name): the time is too large, in seconds") else . end
  end;
def mktime: if type != "array" then __mktime else __seconds("mktime") end;

def __padded: tostring | if length < 2 then " " + . else . end;
def __written($conversion):
  if ($conversion | startswith("%^")) then __written("%" + $conversion[2:]) | ascii_upcase
  elif $conversion == "%Z" then "UTC"
  elif $conversion == "%k" then .[3] | __padded
  elif $conversion == "%l" then (.[3] + 11) % 12 + 1 | __padded
  elif $conversion == "%P" then __strftime("%p") | ascii_downcase
  elif ($conversion | test("\\A(%[-_0EO]?[A-DF-IMR-Za-eghjmnprstuwxyz%]|[^%]+|%)\\z")) then __strftime($conversion)
  else error("strftime/1 does not support \($conversion | tojson)")
  end;
def __write($format):
  if ($format | type) == "string" and ($format | test("%[^A-DF-IMR-Ya-eghjmnprstuwxyz%]")) then
    . as $time | [$format | match("%[-_0^#EO]*[0-9]*(.|\\n)?|[^%]+"; "g").string as $part | $time | __written($part)] | add // ""
  else __strftime($format)
  end;
def strftime(f):
  f as $format
  | if type == "number" then . else __seconds("strftime/1") end
  | gmtime
  | if .[0] < 0 or .[0] > 9999 then error("strftime/1: the year \(.[0]) is not between 0 and 9999") else __write($format) end;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def todate: todateiso8601;

def __pattern:
  ${JSON.stringify(PARTS)} as $parts
  | ${JSON.stringify(COMPOUND)} as $compound
  | [match("%[-_0^#EO]*(.|\\n)?|[^%]+"; "g").string | if .[:1] == "%" then "%" + .[-1:] | $compound[.[1:]] // . else . end]
  | add // ""
  | [ match("%.|\\s+|[^%\\s]+|%"; "g").string
      | if .[:1] == "%" then $parts[.[1:]] // error("strptime/1 does not support \(tojson)")
        elif test("^\\s") then "\\s*"
        else gsub("(?<special>[\\]\\[\\\\^$.|?*+(){}])"; "\\\(.special)")
        end ]
  | "\\A" + (add // "") + "(?<rest>\\s(.|\\n)*)?\\z";

def __offset:
  if . == null or ascii_downcase == "z" then 0
  else
    (.[1:3] | tonumber * 3600) + (.[3:] | ltrimstr(":") | if . == "" then 0 else tonumber * 60 end) as $size
    | if .[:1] == "-" then -$size else $size end
  end;

def __year:
  if .Y != null then .Y | tonumber
  elif .y != null then .y | tonumber | if . < 69 then . + 2000 else . + 1900 end
  else 1970
  end;

def __month:
  if .m != null then (.m | tonumber) - 1
  elif .b != null then (.b[:3] | ascii_downcase) as $name | "janfebmaraprmayjunjulaugsepoctnovdec" | index($name) / 3
  else 0
  end;

def __midnight:
  __year as $year
  | (.d // "1" | tonumber) as $day
  | .j as $ordinal
  | if $ordinal == null then [$year, __month, $day, 0, 0, 0] else [$year, 0, ($ordinal | tonumber), 0, 0, 0] end
  | mktime
  | (gmtime | .[0] == $year and ($ordinal != null or .[2] == $day)) as $exists
  | if $exists then . else error("there is no such day") end;

def __hour:
  if .I != null then (.I | tonumber) % 12 + (if (.p // "" | ascii_downcase) == "pm" then 12 else 0 end)
  else .H // "0" | tonumber
  end;

def __parse($format):
  . as $text
  | ([capture($format | __pattern; "i")][0]
      // error("date \($text | tojson) does not match format \($format | tojson)")) as $parts
  | if $parts.s != null then $parts.s | tonumber | gmtime
    else
      ($parts.S // "0" | tonumber) as $seconds
      | $parts
      | try __midnight catch error("date \($text | tojson) does not exist: \(.)")
      | . + ($parts | __hour * 3600 + (.M // "0" | tonumber * 60) - (.z | __offset)) + ($seconds | floor)
      | gmtime
      | .[5] += $seconds - ($seconds | floor)
    end
  | if $parts.rest == null then . else . + [$parts.rest] end;

def strptime(f):
  f as $format
  | if type != "string" or ($format | type) != "string" then error("strptime/1 requires string inputs and arguments")
    else
      . as $text
      | (try __strptime($format) catch null) as $time
      | if $time != null and (try ($time | __write($format)) catch null) == $text then $time else __parse($format) end
    end;

def __isdigits: length > 0 and (explode | all(. >= 48 and . <= 57));
def __fraction:
  if . == "" then 0
  elif .[:1] == "." and (.[1:] | __isdigits) then tonumber
  else null
  end;
def __zone:
  if length == 1 then 0
  elif (.[:1] | . == "+" or . == "-") and (.[1:3] + .[-2:] | __isdigits) and .[1:3] < "24" and .[-2:] < "60" then __offset
  else null
  end;
def fromdateiso8601:
  if type != "string" or length < 20 then strptime("%Y-%m-%dT%H:%M:%S%z") | mktime
  else
    (if .[-1:] == "Z" then 1 elif .[-3:-2] == ":" then 6 else 5 end) as $length
    | (.[19:-$length] | __fraction) as $fraction
    | (.[-$length:] | __zone) as $zone
    | if $fraction == null or $zone == null then strptime("%Y-%m-%dT%H:%M:%S%z") | mktime
      else .[:19] + "Z" | strptime("%Y-%m-%dT%H:%M:%SZ") | mktime - $zone + $fraction
      end
  end;
def fromdate: fromdateiso8601;
def date: todate;
def __unit($name): if . == "seconds" then . else error("\($name): the unit \(tojson) is not \"seconds\"") end;
def dateadd(u; n): (u | __unit("dateadd")) as $unit | . + n;
def datesub(u; n): (u | __unit("datesub")) as $unit | . - n;
`;

/** Definitions on one line. */
export const DATE_DEFINITIONS = SOURCE.replaceAll(/\s*\n\s*/g, ' ');

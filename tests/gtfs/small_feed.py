"""A small town's feed, made here: every test starts from it and changes what it is about.

Line 1 goes from Centro to Praia and back, at night too, with blank times and a Sunday service; line 2 is a circle
that passes the square twice and runs every twenty minutes; line 3 has no trips yet.
"""

import io
import zipfile
from collections.abc import Mapping

AGENCY = """agency_id,agency_name,agency_url,agency_timezone
VILA,Transportes de Vila,https://vila.example,America/Sao_Paulo
"""
STOPS = """stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station
C,101,Rodoviária Centro,-22.9200,-42.8200,0,
M,102,Mercado,-22.9250,-42.8200,0,
E,103,Escola,-22.9350,-42.8200,0,
P,104,Praia,-22.9400,-42.8200,0,
Q,105,Praça,-22.9100,-42.8300,0,
B,106,Bairro Novo,-22.9000,-42.8300,0,
"""
ROUTES = """route_id,agency_id,route_short_name,route_long_name,route_type,route_color,route_text_color
L1,VILA,1,Centro x Praia,3,1351B4,FFFFFF
L2,VILA,2,Circular Bairro Novo,3,,
L3,VILA,3,Itaipuaçu,3,,
"""
CALENDAR = """service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
U,1,1,1,1,1,0,0,20260101,20271231
D,0,0,0,0,0,0,1,20260101,20271231
"""
CALENDAR_DATES = """service_id,date,exception_type
U,20261225,2
D,20261225,1
"""
TRIPS = """route_id,service_id,trip_id,trip_headsign,direction_id,shape_id
L1,U,ida-0600,Praia,0,S1
L1,U,ida-0700,Praia,0,S1
L1,U,volta-0630,Centro,1,
L1,U,noite,Praia,0,S1
L1,D,domingo,Praia,0,S1
L2,U,circular,,0,
"""
STOP_TIMES = """trip_id,stop_sequence,stop_id,arrival_time,departure_time
ida-0600,1,C,06:00:00,06:00:00
ida-0600,2,M,,
ida-0600,3,E,,
ida-0600,4,P,06:20:00,06:20:00
ida-0700,1,C,07:00:00,07:00:00
ida-0700,2,M,,
ida-0700,3,E,,
ida-0700,4,P,07:20:00,07:20:00
volta-0630,1,P,06:30:00,06:30:00
volta-0630,2,E,06:35:00,06:35:00
volta-0630,3,M,06:45:00,06:46:00
volta-0630,4,C,06:50:00,06:50:00
noite,1,C,25:10:00,25:10:00
noite,2,M,25:15:00,25:15:00
noite,3,E,25:25:00,25:25:00
noite,4,P,25:30:00,25:30:00
domingo,1,C,08:00:00,08:00:00
domingo,2,M,08:05:00,08:05:00
domingo,3,E,08:15:00,08:15:00
domingo,4,P,08:20:00,08:20:00
circular,1,C,05:00:00,05:00:00
circular,2,Q,05:05:00,05:05:00
circular,3,B,05:15:00,05:15:00
circular,4,Q,05:25:00,05:25:00
circular,5,C,05:30:00,05:30:00
"""
FREQUENCIES = """trip_id,start_time,end_time,headway_secs,exact_times
circular,05:00:00,09:00:00,1200,0
"""
SHAPES = """shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence
S1,-22.9200,-42.8200,1
S1,-22.9400,-42.8200,2
"""

FILES: Mapping[str, str] = {
    "agency.txt": AGENCY,
    "stops.txt": STOPS,
    "routes.txt": ROUTES,
    "calendar.txt": CALENDAR,
    "calendar_dates.txt": CALENDAR_DATES,
    "trips.txt": TRIPS,
    "stop_times.txt": STOP_TIMES,
    "frequencies.txt": FREQUENCIES,
    "shapes.txt": SHAPES,
}


def zip_files(files: Mapping[str, str | bytes]) -> bytes:
    """A zip of the files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            archive.writestr(member, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def small_feed(**changes: str | bytes | None) -> bytes:
    """The feed as a zip with files replaced: `stops_txt="…"`; None leaves a file out."""
    return zip_files(changed_files(**changes))


def changed_files(**changes: str | bytes | None) -> dict[str, str | bytes]:
    """The files with changes as in `small_feed`."""
    files: dict[str, str | bytes] = dict(FILES)
    for key, content in changes.items():
        name = f"{key.removesuffix('_txt')}.txt"
        if content is None:
            del files[name]
        else:
            files[name] = content
    return files
